#include <lab.h>

// Every warp has its own part of shared memory, so waiting for the own warp is enough.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float piece[4][32];
    const int lane = threadIdx.x, warp = threadIdx.y;
    const int row = blockIdx.y * 4 + warp;
    const int col = blockIdx.x * 32 + lane;
    if (row >= N) return;   // the same for a whole warp

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 32) {
        if (k0 + lane < N)
            piece[warp][lane] = A[row * N + k0 + lane];
        __syncwarp();
        int n = min(32, N - k0);
        if (col < N)
            for (int k = 0; k < n; ++k)
                sum += piece[warp][k] * B[(k0 + k) * N + col];
        __syncwarp();
    }
    if (col < N) C[row * N + col] = sum;
}

LAUNCH(.block = {32, 4}, .tile = {32, 4});
