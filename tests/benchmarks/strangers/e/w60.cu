#include <lab.h>

// Each warp has its own 32 floats of shared memory for its row of A. No block barrier necessary.
#define WARPS 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float buf[WARPS][32];
    int lane = threadIdx.x;
    int warp = threadIdx.y;
    int row = blockIdx.y * WARPS + warp;
    int col = blockIdx.x * 32 + lane;
    if (row >= N)
        return;

    float acc = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 32) {
        buf[warp][lane] = k0 + lane < N ? A[row * N + k0 + lane] : 0.0f;
        __syncwarp();
        int n = N - k0 < 32 ? N - k0 : 32;
        if (col < N)
            for (int k = 0; k < n; k++)
                acc += buf[warp][k] * B[(k0 + k) * N + col];
    }

    if (col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {32, WARPS}, .tile = {32, WARPS});
