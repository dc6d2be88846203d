#include <lab.h>

constexpr int TILE  = 16;
constexpr int GROUP = 4;   // rows of blocks that share columns of B in L2

extern "C" __global__ void __launch_bounds__(TILE * TILE)
matmul(const float* A, const float* B, float* C, int N)
{
    __shared__ float sa[TILE][TILE + 1];
    __shared__ float sb[TILE][TILE + 1];

    // reorder the blocks for better use of L2
    const int id     = blockIdx.y * gridDim.x + blockIdx.x;
    const int span   = GROUP * gridDim.x;
    const int first  = id / span * GROUP;
    const int height = GROUP;
    const int by     = first + id % span % height;
    const int bx     = id % span / height;

    const int r = by * TILE + threadIdx.y;
    const int c = bx * TILE + threadIdx.x;
    float v = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        sa[threadIdx.y][threadIdx.x] = (r < N && k0 + threadIdx.x < N) ? A[r * N + k0 + threadIdx.x] : 0.0f;
        sb[threadIdx.y][threadIdx.x] = (c < N && k0 + threadIdx.y < N) ? B[(k0 + threadIdx.y) * N + c] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k)
            v = fmaf(sa[threadIdx.y][k], sb[k][threadIdx.x], v);
        __syncthreads();
    }
    if (r < N && c < N)
        C[r * N + c] = v;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
