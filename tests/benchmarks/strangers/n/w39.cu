#include <lab.h>

// Each warp owns a row of C's tile and its own strip of shared memory.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float strip[8][32];
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    const int row = blockIdx.y * 8 + warp;
    const int col = blockIdx.x * 32 + lane;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 32) {
        strip[warp][lane] = (row < N && k0 + lane < N) ? A[row * N + k0 + lane] : 0.0f;
        const int len = N - k0 < 32 ? N - k0 : 32;
        if (col < N)
            for (int k = 0; k < len; ++k)
                sum += strip[warp][k] * B[(k0 + k) * N + col];
        __syncwarp();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {256}, .tile = {32, 8});
