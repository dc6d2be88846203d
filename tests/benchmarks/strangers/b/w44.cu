#include <lab.h>

template <int TILE>
__device__ void gemm(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y;
    const int col = blockIdx.x * TILE + x;

    float sum = 0.0f;
    for (int t = 0; t < (N + TILE - 1) / TILE; t++) {
        As[y][x] = (row < N && t * TILE + x < N) ? A[row * N + t * TILE + x] : 0.0f;
        Bs[y][x] = (col < N && t * TILE + y < N) ? B[(t * TILE + y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k <= TILE; k++)
            sum += As[y][k] * Bs[k][x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    gemm<16>(A, B, C, N);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
