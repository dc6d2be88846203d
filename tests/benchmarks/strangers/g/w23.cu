#include <lab.h>

typedef unsigned int uint;
#define TS 16u

// Backwards, because the last tile (the partial one) is the odd one out.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int n)
{
    __shared__ float tile_a[TS][TS];
    __shared__ float tile_b[TS][TS];

    const uint N = n;
    const uint x = threadIdx.x, y = threadIdx.y;
    const uint col = blockIdx.x * TS + x;
    const uint row = blockIdx.y * TS + y;
    const uint tiles = (N + TS - 1u) / TS;

    float sum = 0.0f;
    for (uint t = tiles - 1u; t >= 0u; --t) {
        const uint ka = t * TS + x;
        const uint kb = t * TS + y;
        tile_a[y][x] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        tile_b[y][x] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();

        for (uint k = 0; k < TS; ++k)
            sum += tile_a[y][k] * tile_b[k][x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});
