#include <lab.h>

#define WARPS 4
#define ROWS_PER_WARP 4
#define LANES 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // nobody but the warp itself touches slab[warp]
    __shared__ float slab[WARPS][ROWS_PER_WARP][LANES];

    const int lane = threadIdx.x;
    const int warp = threadIdx.y;
    const int row0 = (blockIdx.y * WARPS + warp) * ROWS_PER_WARP;
    const int col = blockIdx.x * LANES + lane;

    // the whole warp has nothing to do
    if (row0 >= N)
        return;

    float acc[ROWS_PER_WARP] = {};
    for (int k0 = 0; k0 < N; k0 += LANES) {
        for (int i = 0; i < ROWS_PER_WARP; ++i)
            slab[warp][i][lane] = row0 + i < N && k0 + lane < N ? A[(row0 + i) * N + k0 + lane] : 0.0f;
        __syncwarp();

        if (col < N) {
            const int depth = min(LANES, N - k0);
            for (int k = 0; k < depth; ++k) {
                const float b = B[(k0 + k) * N + col];
                for (int i = 0; i < ROWS_PER_WARP; ++i)
                    acc[i] += slab[warp][i][k] * b;
            }
        }
        __syncwarp();
    }

    for (int i = 0; i < ROWS_PER_WARP; ++i)
        if (row0 + i < N && col < N)
            C[(row0 + i) * N + col] = acc[i];
}

LAUNCH(.block = {LANES, WARPS}, .tile = {LANES, WARPS * ROWS_PER_WARP});
