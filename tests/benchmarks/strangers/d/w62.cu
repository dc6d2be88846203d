#include <lab.h>

#define COLS 8
#define WARPS 4

__device__ __forceinline__ float warpSum(float v)
{
    for (int offset = 16; offset > 0; offset >>= 1)
        v += __shfl_down_sync(0xffff, v, offset);
    return v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x;
    const int row = blockIdx.y * WARPS + threadIdx.y;
    if (row >= N)
        return;

    for (int c = 0; c < COLS; ++c) {
        const int col = blockIdx.x * COLS + c;
        if (col >= N)
            break;
        float part = 0.0f;
        for (int k = lane; k < N; k += 32)
            part += A[row * N + k] * B[k * N + col];
        part = warpSum(part);
        if (lane == 0)
            C[row * N + col] = part;
    }
}

LAUNCH(.block = {32, WARPS}, .tile = {COLS, WARPS});
