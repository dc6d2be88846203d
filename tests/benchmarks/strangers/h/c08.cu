#include <lab.h>
#include <cuda_pipeline.h>

// Three stages of asynchronous copies and one barrier per tile.
constexpr int BM = 32, BN = 32, BK = 16, STAGES = 3;

__shared__ float sa[STAGES][BM][BK];
__shared__ float sb[STAGES][BK][BN];

// Copies one float, or stores a zero without reading the source.
static __device__ void copy(float *to, const float *matrix, int row, int col, int n)
{
    const bool inside = row < n && col < n;
    __pipeline_memcpy_async(to, inside ? matrix + row * n + col : matrix, 4, inside ? 0 : 4);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int tid = threadIdx.x;
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
    const int tiles = (N + BK - 1) / BK;

    auto stage = [=](int t) {
        if (t < tiles) {
            const int s = t % STAGES;
            for (int i = tid; i < BM * BK; i += 256)
                copy(&sa[s][i / BK][i % BK], A, r0 + i / BK, t * BK + i % BK, N);
            for (int i = tid; i < BK * BN; i += 256)
                copy(&sb[s][i / BN][i % BN], B, t * BK + i / BN, c0 + i % BN, N);
        }
        __pipeline_commit();
    };

    for (int t = 0; t < STAGES - 1; ++t)
        stage(t);

    const int tx = tid % 32, ty = tid / 32;
    float acc[4] = {0, 0, 0, 0};
    for (int t = 0; t < tiles; ++t) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        stage(t + STAGES - 1);
        const int s = t % STAGES;
#pragma unroll
        for (int k = 0; k < BK; ++k)
#pragma unroll
            for (int i = 0; i < 4; ++i)
                acc[i] += sa[s][ty + 8 * i][k] * sb[s][k][tx];
    }

    for (int i = 0; i < 4; ++i) {
        const int row = r0 + ty + 8 * i, col = c0 + tx;
        if (row < N && col < N)
            C[row * N + col] = acc[i];
    }
}

LAUNCH(.block = {256}, .tile = {BN, BM});
