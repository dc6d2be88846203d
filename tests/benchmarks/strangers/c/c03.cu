// A warp computes one element at a time; the lanes share the work of the dot product.
#include <lab.h>

#define WARPS 4
#define COLS 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, n = N;
    unsigned row = blockIdx.y * WARPS + warp;
    if (row >= n)
        return;  // all lanes of the warp, and there are no barriers below

    for (unsigned col = blockIdx.x * COLS; col < min((blockIdx.x + 1) * COLS, n); ++col) {
        float part = 0.0f;
        for (unsigned k = lane; k < n; k += 32)
            part += A[row * n + k] * B[k * n + col];
        for (int mask = 1; mask < 32; mask <<= 1)
            part += __shfl_xor_sync(~0u, part, mask);
        if (lane == 31)  // after a butterfly, every lane has the total
            C[row * n + col] = part;
    }
}

LAUNCH(.block = {32 * WARPS}, .tile = {COLS, WARPS});
