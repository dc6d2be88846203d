#include <lab.h>

#define TILE 16
#define CLAMP(i, n) min((i), (n) * (n))

// No branches for the loads: clamp the index and multiply by 0 or 1.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        int ka = k0 + threadIdx.x;
        int kb = k0 + threadIdx.y;
        float va = A[CLAMP(row * N + ka, N)];
        float vb = B[CLAMP(kb * N + col, N)];
        As[threadIdx.y][threadIdx.x] = va * (float)(row < N && ka < N);
        Bs[threadIdx.y][threadIdx.x] = vb * (float)(kb < N && col < N);
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
