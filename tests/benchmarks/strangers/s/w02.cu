#include <lab.h>

// Engine math sandbox, week 3: tiled GEMM
namespace gem
{
    constexpr int kTile = 16;

    struct Tile
    {
        float data[kTile][kTile + 1];

        __device__ void Load(const float* src, int rowBase, int colBase, int n)
        {
            const int r = rowBase + threadIdx.y;
            const int c = colBase + threadIdx.x;
            data[threadIdx.y][threadIdx.x] = (r < n && c < n) ? src[r * n + c] : 0.f;
        }
    };
}

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N)
{
    __shared__ gem::Tile lhs;
    __shared__ gem::Tile rhs;

    const int y0 = blockIdx.y * gem::kTile;
    const int x0 = blockIdx.x * gem::kTile;
    float dot = 0.f;

    for (int k0 = 0; k0 < N; k0 += gem::kTile)
    {
        lhs.Load(A, y0, k0, N);
        rhs.Load(B, k0, x0, N);
        __syncthreads();

        #pragma unroll
        for (int i = 0; i < gem::kTile; ++i)
            dot += lhs.data[threadIdx.y][i] * rhs.data[i][threadIdx.x];
    }

    const int y = y0 + threadIdx.y, x = x0 + threadIdx.x;
    if (y < N && x < N)
        C[y * N + x] = dot;
}

LAUNCH(.block = {gem::kTile, gem::kTile}, .tile = {gem::kTile, gem::kTile});
