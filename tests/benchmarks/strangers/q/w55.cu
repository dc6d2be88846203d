#include <lab.h>

namespace cfg { constexpr int TILE = 16; }
using cfg::TILE;

// 1D thread block, coordinates are computed by hand
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float ta[TILE * TILE];
    __shared__ float tb[TILE * TILE];
    const int t  = threadIdx.x;
    const int lr = t / TILE;
    const int lc = t % TILE;
    const int gr = blockIdx.y * TILE + lr;
    const int gc = blockIdx.x * TILE + lc;

    float acc = 0.0f;
    for (int s = 0; s < (N + TILE - 1) / TILE; ++s) {
        const int ka = s * TILE + lc;
        const int kb = s * TILE + lr;
        ta[t] = gr < N && ka < N ? A[gr * N + ka] : 0.0f;
        tb[t] = gc < N && kb < N ? B[kb * N + gc] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            acc += ta[lr * TILE + k] * tb[k * TILE + lc];
        __syncthreads();
    }
    if (gr < N && gc < N)
        C[gr * N + gc] = acc;
}

LAUNCH(.block = {TILE * TILE / 2}, .tile = {TILE, TILE});
