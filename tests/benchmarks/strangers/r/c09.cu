#include <lab.h>
#include <cuda_pipeline.h>

#define W 16

__device__ void copy_or_zero(float *dst, const float *src, bool valid)
{
    if (valid)
        __pipeline_memcpy_async(dst, src, sizeof(float));
    else
        *dst = 0.0f;
}

// two stages with cp.async
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[2][W][W];
    __shared__ float sb[2][W][W];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int col = blockIdx.x * W + tx, row = blockIdx.y * W + ty;
    const int tiles = (N + W - 1) / W;

    copy_or_zero(&sa[0][ty][tx], A + row * N + tx, row < N && tx < N);
    copy_or_zero(&sb[0][ty][tx], B + ty * N + col, ty < N && col < N);
    __pipeline_commit();

    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
        const int s = t & 1;
        __pipeline_wait_prior(0);
        __syncthreads();    // tile t is there, and nobody uses the other buffer any more
        if (t + 1 < tiles) {
            const int k0 = (t + 1) * W;
            copy_or_zero(&sa[s ^ 1][ty][tx], A + row * N + k0 + tx, row < N && k0 + tx < N);
            copy_or_zero(&sb[s ^ 1][ty][tx], B + (k0 + ty) * N + col, k0 + ty < N && col < N);
            __pipeline_commit();
        }
        for (int k = 0; k < W; ++k)
            sum += sa[s][ty][k] * sb[s][k][tx];
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {W, W}, .tile = {W, W});
