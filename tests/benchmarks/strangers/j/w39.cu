#include <lab.h>

#define WARPS 6
#define RPT 4     // rows per thread

// Each warp of the block takes its own share of k; then the shares are added.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float share[WARPS][RPT][32];

    const int lane = threadIdx.x, w = threadIdx.y;
    const int col = blockIdx.x * 32 + lane;
    const int row = blockIdx.y * RPT;

    float s[RPT] = {};
    if (col < N) {
        for (int k = w; k < N; k += WARPS) {
            const float b = B[k * N + col];
            for (int r = 0; r < RPT; ++r)
                if (row + r < N)
                    s[r] += A[(row + r) * N + k] * b;
        }
    }
    for (int r = 0; r < RPT; ++r)
        share[w][r][lane] = s[r];
    __syncthreads();

    for (int h = WARPS / 2; h > 0; h /= 2) {
        if (w < h) {
            for (int r = 0; r < RPT; ++r)
                share[w][r][lane] += share[w + h][r][lane];
        }
        __syncthreads();
    }

    if (w == 0 && col < N) {
        for (int r = 0; r < RPT && row + r < N; ++r)
            C[(row + r) * N + col] = share[0][r][lane];
    }
}

LAUNCH(.block = {32, WARPS}, .tile = {32, RPT});
