#include <lab.h>

#define WARPS 4
#define EDGE 8      // rows of a warp's tile
#define FULL 0xffffffffu

// Every warp has tiles of its own and never waits for the other warps.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[WARPS][EDGE][32];
    __shared__ float b[WARPS][32][33];

    const int lane = threadIdx.x, w = threadIdx.y;
    const int col = blockIdx.x * 32 + lane;
    const int row0 = (blockIdx.y * WARPS + w) * EDGE;

    if (row0 >= N)
        return;

    float acc[EDGE] = {0};
    for (int k0 = 0; k0 < N; k0 += 32) {
        for (int r = 0; r < EDGE; ++r)
            a[w][r][lane] = (row0 + r < N && k0 + lane < N) ? A[(row0 + r) * N + k0 + lane] : 0.f;
        for (int r = 0; r < 32; ++r)
            b[w][r][lane] = (k0 + r < N && col < N) ? B[(k0 + r) * N + col] : 0.f;
        __syncwarp(FULL);

        for (int k = 0; k < 32; ++k) {
            const float bk = b[w][k][lane];
            for (int r = 0; r < EDGE; ++r)
                acc[r] += a[w][r][k] * bk;
        }
        __syncwarp(FULL);
    }

    for (int r = 0; r < EDGE; ++r)
        if (row0 + r < N && col < N)
            C[(row0 + r) * N + col] = acc[r];
}

LAUNCH(.block = {32, WARPS}, .tile = {32, WARPS * EDGE});
