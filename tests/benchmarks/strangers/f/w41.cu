/* One warp computes one element of C. The lanes split k among them and the
   partial sums are added with shuffles. */
#include <lab.h>

#define WARPS 8
#define FULL 0xffffffffu

__device__ float warpSum(float v)
{
    for (int offset = 8; offset > 0; offset /= 2)
        v += __shfl_down_sync(FULL, v, offset);
    return v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int lane = threadIdx.x;
    int col = blockIdx.x;
    int row = blockIdx.y * WARPS + threadIdx.y;

    float part = 0.0f;
    if (row < N)
        for (int k = lane; k < N; k += 32)
            part += A[row * N + k] * B[k * N + col];

    part = warpSum(part);
    if (lane == 0 && row < N)
        C[row * N + col] = part;
}

LAUNCH(.block = {32, WARPS}, .tile = {1, WARPS});
