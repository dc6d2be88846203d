#include <lab.h>

#define TX 32
#define TY 4
#define STRIPS 4

// The block works through a queue of STRIPS strips of TY rows.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ int strip;
    int col = blockIdx.x * TX + threadIdx.x;
    int taken = 0;  // only thread 0 uses it

    while (true) {
        if (threadIdx.x == 0 && threadIdx.y == 0)
            strip = taken++;
        __syncthreads();
        int s = strip;
        if (s >= STRIPS)
            break;
        int row = (blockIdx.y * STRIPS + s) * TY + threadIdx.y;
        if (row < N && col < N) {
            float sum = 0.0f;
            for (int k = 0; k < N; ++k)
                sum += A[row * N + k] * B[k * N + col];
            C[row * N + col] = sum;
        }
    }
}

LAUNCH(.block = {TX, TY}, .tile = {TX, TY * STRIPS});
