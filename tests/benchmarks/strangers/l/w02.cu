// One warp per column of C, four rows each. The lanes split the K dimension.
#include <lab.h>

static constexpr int WARPS = 4;
static constexpr int ROWS_PER_WARP = 4;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ volatile float red[WARPS][ROWS_PER_WARP][32];

    const int lane = threadIdx.x % 32;
    const int w = threadIdx.x / 32;
    const int col = blockIdx.x * WARPS + w;
    const int row0 = blockIdx.y * ROWS_PER_WARP;

    for (int r = 0; r < ROWS_PER_WARP; ++r) {
        float part = 0.0f;
        if (row0 + r < N && col < N)
            for (int k = lane; k < N; k += 32)
                part += A[(row0 + r) * N + k] * B[k * N + col];

        red[w][r][lane] = part;
        for (int d = 16; d > 0; d >>= 1) {
            if (lane < d)
                red[w][r][lane] = red[w][r][lane] + red[w][r][lane + d];
        }
        if (lane == 0 && row0 + r < N && col < N)
            C[(row0 + r) * N + col] = red[w][r][0];
    }
}

LAUNCH(.block = {128}, .tile = {WARPS, ROWS_PER_WARP});
