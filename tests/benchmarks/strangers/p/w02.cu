#include <lab.h>

#define BX 16
#define BY 8

/* 16 threads work together on one element, 8 elements per block */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float scratch[BX * BY];

    const int slot = threadIdx.x;
    const int row = blockIdx.y * BY + threadIdx.y;
    const int col = blockIdx.x;

    float mine = 0.0f;
    if (row < N) {
        for (int k = threadIdx.x; k < N; k += BX)
            mine += A[row * N + k] * B[k * N + col];
    }
    scratch[slot] = mine;

    for (int h = BX / 2; h > 0; h /= 2) {
        __syncthreads();
        if (threadIdx.x < h)
            scratch[slot] += scratch[slot + h];
    }

    if (threadIdx.x == 0 && row < N)
        C[row * N + col] = scratch[slot];
}

LAUNCH(.block = {BX, BY}, .tile = {1, BY});
