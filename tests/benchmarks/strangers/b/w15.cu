#include <lab.h>

// 1 warp = 1 element
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int col = blockIdx.x * 8 + warp;
    int row = blockIdx.y;

    float v = 0.0f;
    if (col < N)
        for (int k = lane; k < N; k += 32)
            v = fmaf(A[row * N + k], B[k * N + col], v);

    for (int s = 16; s >= 0; s >>= 1)
        v += __shfl_xor_sync(0xffffffffu, v, s);

    if (lane == 0 && col < N)
        C[row * N + col] = v;
}

LAUNCH(.block = {256}, .tile = {8, 1});
