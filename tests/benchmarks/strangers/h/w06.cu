#include <lab.h>

#define WARPS 8
#define COLS 8
#define FULL_MASK 0xffffffffu

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int row = blockIdx.y * WARPS + warp;
    const int col0 = blockIdx.x * COLS;

    float sums[COLS] = {0.0f};

    if (row < N) {
        for (int k = lane; k < N; k += 32) {
            float a = A[row * N + k];
            for (int j = 0; j < COLS; ++j)
                if (col0 + j < N)
                    sums[j] += a * B[k * N + col0 + j];
        }
    }

    for (int j = 0; j < COLS; ++j) {
        float v = sums[j];
        v += __shfl_down_sync(FULL_MASK, v, 16);
        v += __shfl_down_sync(FULL_MASK, v, 8);
        v += __shfl_down_sync(FULL_MASK, v, 4);
        v += __shfl_down_sync(FULL_MASK, v, 2);
        v += __shfl_down_sync(FULL_MASK, v, 1);
        if (row < N && col0 + j < N)
            C[row * N + col0 + j] = v;
    }
}

LAUNCH(.block = {32 * WARPS}, .tile = {COLS, WARPS});
