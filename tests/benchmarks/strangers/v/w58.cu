#include <lab.h>

// Grid-stride loops in both directions: works with whatever grid we are given.
// (.tile is made larger than the block, fewer blocks with more work)

__device__ __forceinline__ float skalarprodukt(const float *zeile, const float *spalte, int n)
{
    float s = 0.0f;
    #pragma unroll 4
    for (int k = 0; k < n; ++k)
        s += zeile[k] * spalte[k * n];
    return s;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int schrittX = gridDim.x * blockDim.x;
    const int schrittY = gridDim.y * blockDim.x;

    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < N; y += schrittY)
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < N; x += schrittX)
            C[y * N + x] = skalarprodukt(A + y * N, B + x, N);
}

LAUNCH(.block = {32, 8}, .tile = {64, 32});
