#include <lab.h>

// One warp per element of C, 4 warps per block.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float buf[4][32];

    int lane = threadIdx.x, w = threadIdx.y;
    int row = blockIdx.y * 4 + w;
    int col = blockIdx.x;

    float s = 0.0f;
    if (row < N)
        for (int k = lane; k < N; k += 32)
            s += A[row * N + k] * B[k * N + col];
    buf[w][lane] = s;
    __syncthreads();

    // the 32 values belong to one warp
    if (lane < 16) {
        buf[w][lane] += buf[w][lane + 16];
        buf[w][lane] += buf[w][lane + 8];
        buf[w][lane] += buf[w][lane + 4];
        buf[w][lane] += buf[w][lane + 2];
        buf[w][lane] += buf[w][lane + 1];
    }
    if (lane == 0 && row < N)
        C[row * N + col] = buf[w][0];
}

LAUNCH(.block = {32, 4}, .tile = {1, 4});
