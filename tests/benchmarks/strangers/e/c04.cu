#include <lab.h>

// one warp = one row and 4 columns; butterfly reduction
__device__ __forceinline__ float reduceWarp(float v)
{
#pragma unroll
    for (int m = 1; m < 32; m <<= 1)
        v += __shfl_xor_sync(0xffffffffu, v, m);
    return v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x & 31;
    const int row = blockIdx.y * 8 + (threadIdx.x >> 5);
    const int col = blockIdx.x * 4;
    float s[4] = {0.0f, 0.0f, 0.0f, 0.0f};

    if (row < N) {
        for (int k = lane; k < N; k += 32) {
            const float a = A[row * N + k];
            const float *b = B + k * N + col;
            s[0] += a * b[0];
            if (col + 1 < N) s[1] += a * b[1];
            if (col + 2 < N) s[2] += a * b[2];
            if (col + 3 < N) s[3] += a * b[3];
        }
    }
    for (int j = 0; j < 4; j++) {
        float total = reduceWarp(s[j]);
        if (lane == j && row < N && col + j < N)
            C[row * N + col + j] = total;
    }
}

LAUNCH(.block = {256}, .tile = {4, 8});
