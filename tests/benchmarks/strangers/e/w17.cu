#include <lab.h>

constexpr int TILE = 16;
constexpr int SPLIT = 4;

template <int W>
struct Sums {
    float v[W][W];
    __device__ void add(int y, int x, float s) { atomicAdd(&v[y][x], s); }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Sums<TILE> sums;
    const int x = threadIdx.x, y = threadIdx.y, slice = threadIdx.z;
    const int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    const int span = (N + SPLIT - 1) / SPLIT;
    const bool mine = row < N && col < N;

    if (slice == 0)
        sums.v[y][x] = 0.0f;

    float s = 0.0f;
    for (int k = slice * span; k < (slice + 1) * span && k < N; ++k)
        if (mine)
            s += A[row * N + k] * B[k * N + col];
    sums.add(y, x, s);
    __syncthreads();

    if (slice == 0 && mine)
        C[row * N + col] = sums.v[y][x];
}

LAUNCH(.block = {TILE, TILE, SPLIT}, .tile = {TILE, TILE});
