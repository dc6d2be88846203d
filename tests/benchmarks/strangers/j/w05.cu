#include <lab.h>

// One warp per row of the tile. The 32 lanes share the work of each dot product
// and add their parts with shuffles.
#define WARPS_PER_BLOCK 8
#define COLS 32

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B,
                                  float *__restrict__ C, int n)
{
    const int lane = threadIdx.x;
    const int row = blockIdx.y * WARPS_PER_BLOCK + threadIdx.y;
    const int first = blockIdx.x * COLS;

    if (row < n) {
        for (int col = first; col < first + COLS && col < n; ++col) {
            float part = 0.0f;
            for (int k = lane; k < n; k += 32)
                part += A[row * n + k] * B[k * n + col];

            for (int offset = 16; offset > 1; offset >>= 1)
                part += __shfl_down_sync(0xffffffffu, part, offset);

            if (lane == 0)
                C[row * n + col] = part;
        }
    }
}

LAUNCH(.block = {32, WARPS_PER_BLOCK}, .tile = {COLS, WARPS_PER_BLOCK});
