#include <lab.h>

template <int TILE, typename Load>
__device__ void fill(float (&dst)[TILE][TILE], Load load)
{
    dst[threadIdx.y][threadIdx.x] = load(threadIdx.y, threadIdx.x);
}

template <int TILE>
__device__ float product(const float (&p)[TILE][TILE], const float (&q)[TILE][TILE])
{
    float s = 0.0f;
#pragma unroll
    for (int k = 0; k < TILE; ++k)
        s += p[threadIdx.y][k] * q[k][threadIdx.x];
    return s;
}

constexpr int kTile = 8;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float p[kTile][kTile];
    __shared__ float q[kTile][kTile];
    const int r0 = blockIdx.y * kTile;
    const int c0 = blockIdx.x * kTile;
    auto at = [N](const float *m, int r, int c) { return (r < N && c < N) ? m[r * N + c] : 0.0f; };

    float v = 0.0f;
    for (int k0 = 0; k0 < N; k0 += kTile) {
        fill<kTile>(p, [=](int y, int x) { return at(A, r0 + y, k0 + x); });
        fill<kTile>(q, [=](int y, int x) { return at(B, k0 + y, c0 + x); });
        __syncthreads();
        v += product<kTile>(p, q);
        __syncthreads();
    }

    const int r = r0 + threadIdx.y, c = c0 + threadIdx.x;
    if (r < N && c < N)
        C[r * N + c] = v;
}

LAUNCH(.block = {kTile, kTile}, .tile = {kTile, kTile});
