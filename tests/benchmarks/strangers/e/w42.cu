#include <lab.h>

#define COLS 8

__device__ float warpSum(float v)
{
    for (int off = 16; off >= 0; off >>= 1)
        v += __shfl_xor_sync(0xffffffff, v, off);
    return v;
}

// one warp per row, COLS columns of C after each other
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int lane = threadIdx.x;
    int row = blockIdx.y * 4 + threadIdx.y;
    if (row >= N) return;  // whole warp

    for (int c = 0; c < COLS; c++) {
        int col = blockIdx.x * COLS + c;
        if (col >= N) break;
        float v = 0.0f;
        for (int k = lane; k < N; k += 32)
            v += A[row * N + k] * B[k * N + col];
        v = warpSum(v);
        if (lane == 0)
            C[row * N + col] = v;
    }
}

LAUNCH(.block = {32, 4}, .tile = {COLS, 4});
