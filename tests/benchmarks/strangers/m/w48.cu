#include <lab.h>
#include <cuda_pipeline.h>

constexpr int TILE = 16;

__device__ void copy_or_zero(float *dst, const float *matrix, int n, int r, int c)
{
    const bool in = r < n && c < n;
    // the last argument is the number of bytes that are filled with zeros
    __pipeline_memcpy_async(dst, in ? matrix + r * n + c : matrix, 4, in ? 0 : 4);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    const int tiles = (N + TILE - 1) / TILE;

    copy_or_zero(&As[0][ty][tx], A, N, row, tx);
    copy_or_zero(&Bs[0][ty][tx], B, N, ty, col);
    __pipeline_commit();

    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles) {
            copy_or_zero(&As[(t + 1) % 2][ty][tx], A, N, row, (t + 1) * TILE + tx);
            copy_or_zero(&Bs[(t + 1) % 2][ty][tx], B, N, (t + 1) * TILE + ty, col);
        }
        __pipeline_commit();
        __pipeline_wait_prior(2);
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[t % 2][ty][k] * Bs[t % 2][k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
