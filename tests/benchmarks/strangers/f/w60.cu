#include <lab.h>

#define TILE 16
#define STAGES 3

struct Stage {
    float a[TILE][TILE];
    float b[TILE][TILE];
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Stage ring[2];

    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y;
    const int col = blockIdx.x * TILE + x;
    const int count = (N + TILE - 1) / TILE;

    auto fill = [&](int t) {
        Stage &s = ring[t % STAGES];
        const int ka = t * TILE + x, kb = t * TILE + y;
        s.a[y][x] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        s.b[y][x] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
    };

    float acc = 0.0f;
    fill(0);
    for (int t = 0; t < count; ++t) {
        if (t + 1 < count)
            fill(t + 1);
        __syncthreads();       // with three stages one barrier is enough
        const Stage &s = ring[t % STAGES];
        for (int k = 0; k < TILE; ++k)
            acc += s.a[y][k] * s.b[k][x];
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
