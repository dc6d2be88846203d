#include <lab.h>
#define TILE 16

__device__ void fill(float (*t)[TILE], const float *m, int n, int r0, int c0)
{
    int r = r0 + threadIdx.y, c = c0 + threadIdx.x;
    t[threadIdx.y][threadIdx.x] = (r < n && c < n) ? m[r * n + c] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE + 1];
    __shared__ float Bs[TILE][TILE + 1];
    int r0 = blockIdx.y * TILE, c0 = blockIdx.x * TILE;
    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TILE) {
        fill(As, A, N, r0, k0);
        fill(Bs, B, N, k0, c0);
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    int r = r0 + threadIdx.y, c = c0 + threadIdx.x;
    if (r < N && c < N)
        C[r * N + c] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
