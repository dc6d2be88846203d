#include <lab.h>

// each warp calculates 8 elements of a row, one after another
#define NW 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float part[NW][32];

    int lane = threadIdx.x & 31;
    int wid  = threadIdx.x >> 5;
    int row  = blockIdx.y * NW + wid;

    for (int c = 0; c < 8; ++c)
    {
        int col = blockIdx.x * 8 + c;
        if (row < N && col < N)     // the same for the whole warp
        {
            float sum = 0.f;
            for (int k = lane; k < N; k += 32)
                sum += A[row * N + k] * B[k * N + col];
            part[wid][lane] = sum;
            __syncwarp();

            // tree reduction inside the warp
            for (int half = 16; half > 0; half /= 2)
            {
                if (lane < half)
                    part[wid][lane] += part[wid][lane + half];
            }

            if (lane == 0)
                C[row * N + col] = part[wid][0];
        }
    }
}

LAUNCH(.block = {32 * NW}, .tile = {8, NW});
