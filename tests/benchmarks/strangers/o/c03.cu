#include <lab.h>

constexpr int W = 32;

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ float at[W][W + 1];   // A, transposed while it is stored; + 1 against bank conflicts
    __shared__ float bt[W][W];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * W + ty;
    const int col = blockIdx.x * W + tx;

    const auto get = [N](const float *m, int r, int c) -> float {
        return r < N && c < N ? __ldg(m + r * N + c) : 0.0f;
    };

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += W) {
        at[tx][ty] = get(A, row, k0 + tx);
        bt[ty][tx] = get(B, k0 + ty, col);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < W; ++k)
            sum = fmaf(at[k][ty], bt[k][tx], sum);
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {W, W}, .tile = {W, W});
