#include <lab.h>

#define WARPS 8

// A warp computes 32 columns of one row and keeps 32 elements of that row in its own part of shared memory.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float segment[WARPS][32];
    const int lane = threadIdx.x;
    const int warp = threadIdx.y;
    const int row = blockIdx.y * WARPS + warp;
    const int col = blockIdx.x * 32 + lane;
    if (row >= N) return;

    float *mine = segment[warp];
    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 32) {
        if (k0 + lane < N)
            mine[lane] = A[row * N + k0 + lane];
        __syncwarp();
        const int n = N - k0 < 32 ? N - k0 : 32;
        if (col < N)
            for (int k = 0; k < n; ++k)
                sum += mine[k] * B[(k0 + k) * N + col];
        __syncwarp();
    }
    if (col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {32, WARPS}, .tile = {32, WARPS});
