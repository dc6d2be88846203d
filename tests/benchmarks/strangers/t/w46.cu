#include <lab.h>

constexpr int TILE = 16;

static int ceilDiv(int a, int b) { return (a + b - 1) / b; }

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[TILE][TILE];
    __shared__ float sB[TILE][TILE];

    const auto i = blockIdx.y * TILE + threadIdx.y;
    const auto j = blockIdx.x * TILE + threadIdx.x;
    const int tiles = ceilDiv(N, TILE);

    auto acc = 0.f;
    for (int t = 0; t != tiles; ++t) {
        const auto ja = t * TILE + threadIdx.x;
        const auto ib = t * TILE + threadIdx.y;
        sA[threadIdx.y][threadIdx.x] = i < N && ja < N ? A[i * N + ja] : 0.f;
        sB[threadIdx.y][threadIdx.x] = ib < N && j < N ? B[ib * N + j] : 0.f;
        __syncthreads();
        for (int k = 0; k != TILE; ++k)
            acc += sA[threadIdx.y][k] * sB[k][threadIdx.x];
        __syncthreads();
    }
    if (i < N && j < N)
        C[i * N + j] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
