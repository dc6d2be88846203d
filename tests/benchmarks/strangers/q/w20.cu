#include <lab.h>
constexpr int TILE = 16;

/// Double buffered tile loop: one barrier per iteration.
extern "C" __global__ void matmul(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
                                  const int N)
{
    __shared__ float sa[2][TILE * TILE];
    __shared__ float sb[2][TILE * TILE];
    const int tx = threadIdx.x, ty = threadIdx.y, me = ty * TILE + tx;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;

    auto loadA = [&](int t) { int k = t * TILE + tx; return row < N && k < N ? A[row * N + k] : 0.f; };
    auto loadB = [&](int t) { int k = t * TILE + ty; return k < N && col < N ? B[k * N + col] : 0.f; };

    sa[0][me] = loadA(0);
    sb[0][me] = loadB(0);
    __syncthreads();

    float acc = 0.f;
    const int tiles = (N + TILE - 1) / TILE;
    for (int t = 0; t < tiles; ++t) {
        const int rd = t & 1;
        if (t + 1 < tiles) {
            const int wr = (t + 2) & 1;
            sa[wr][me] = loadA(t + 1);
            sb[wr][me] = loadB(t + 1);
        }
        #pragma unroll
        for (int k = 0; k < TILE; ++k)
            acc += sa[rd][ty * TILE + k] * sb[rd][k * TILE + tx];
        __syncthreads();
    }
    if (row < N && col < N) C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
