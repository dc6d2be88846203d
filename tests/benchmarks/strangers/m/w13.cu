#include <lab.h>

constexpr int W = 16;

__device__ __forceinline__ float cell(const float *m, int n, int r, int c)
{
    return (r < n && c < n) ? m[r * n + c] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tile[2][W][W];
    const int i = threadIdx.y;
    const int j = threadIdx.x;
    const int row = i + W * blockIdx.y;
    const int col = j + W * blockIdx.x;

    float total = 0.0f;
    for (int k0 = 0; k0 < N; k0 += W) {
        tile[0][i][j] = cell(A, N, row, k0 + j);
        tile[1][i][j] = cell(B, N, k0 + i, col);
#pragma unroll 4
        for (int k = 0; k < W; ++k)
            total += tile[0][i][k] * tile[1][k][j];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = total;
}

LAUNCH(.block = {W, W}, .tile = {W, W});
