#include <lab.h>

#define TILE 32
#define NTHREADS 256

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[TILE * TILE];
    __shared__ float sB[TILE * TILE];
    const int tid = threadIdx.y * blockDim.x + threadIdx.x;
    const int r0 = blockIdx.y * TILE, c0 = blockIdx.x * TILE;
    float sum[8] = {0, 0, 0, 0, 0, 0, 0, 0};

    for (int k0 = 0; k0 < N; k0 += TILE) {
        for (int i = tid; i < TILE * TILE; i += NTHREADS) {
            const int y = i / TILE, x = i % TILE;
            sA[i] = r0 + y < N && k0 + x < N ? A[(r0 + y) * N + k0 + x] : 0.0f;
            sB[i] = k0 + y < N && c0 + x < N ? B[(k0 + y) * N + c0 + x] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            const float b = sB[k * TILE + threadIdx.x];
#pragma unroll
            for (int i = 0; i < 8; ++i)
                sum[i] += sA[(threadIdx.y * 8 + i) * TILE + k] * b;
        }
        __syncthreads();
    }

    for (int i = 0; i < 8; ++i) {
        const int r = r0 + threadIdx.y * 8 + i, c = c0 + threadIdx.x;
        if (r < N && c < N)
            C[r * N + c] = sum[i];
    }
}

LAUNCH(.block = {32, 4}, .tile = {TILE, TILE});
