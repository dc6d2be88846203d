#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float bufA[2][TILE][TILE];
    __shared__ float bufB[2][TILE][TILE];

    const int lx = threadIdx.x, ly = threadIdx.y;
    const int gx = blockIdx.x * TILE + lx, gy = blockIdx.y * TILE + ly;
    const int count = (N + TILE - 1) / TILE;

    // copies tile number t into buffer w
    auto fetch = [&](int t, int w) {
        const int ka = t * TILE + lx, kb = t * TILE + ly;
        bufA[w][ly][lx] = (gy < N && ka < N) ? A[gy * N + ka] : 0.0f;
        bufB[w][ly][lx] = (kb < N && gx < N) ? B[kb * N + gx] : 0.0f;
    };

    int w = 0;
    float sum = 0.0f;
    __syncthreads();

    for (int t = 0; t < count; ++t, w ^= 1) {
        if (t + 1 < count)
            fetch(t + 1, w ^ 1);
        for (int k = 0; k < TILE; ++k)
            sum += bufA[w][ly][k] * bufB[w][k][lx];
        __syncthreads();
    }

    if (gy < N && gx < N)
        C[gy * N + gx] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
