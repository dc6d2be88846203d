// One warp per element of C, lanes split the k loop.
#include <lab.h>

#define WARPS 8
#define COLS 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int lane = threadIdx.x;
    int row = blockIdx.y * WARPS + threadIdx.y;
    if (row >= N) return;  // a whole warp

    for (int c = 0; c < COLS; ++c) {
        int col = blockIdx.x * COLS + c;
        if (col >= N) break;
        float part = 0.0f;
        for (int k = lane; k < N; k += 32)
            part += A[row * N + k] * B[k * N + col];
        for (int offset = 16; offset > 1; offset /= 2)
            part += __shfl_down_sync(0xffffffffu, part, offset);
        if (lane == 0)
            C[row * N + col] = part;
    }
}

LAUNCH(.block = {32, WARPS}, .tile = {COLS, WARPS});
