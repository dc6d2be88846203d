#include <lab.h>

// one warp per element of C, lanes split the dot product
#define WARPS 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int lane = threadIdx.x;                       // 0..31
    int col  = blockIdx.x;
    int row  = blockIdx.y * WARPS + threadIdx.y;  // same for the whole warp

    if (row >= N)
        return;

    float v = 0.0f;
    for (int k = lane; k < N; k += 32)
        v += A[row * N + k] * B[k * N + col];

    for (int offset = 16; offset > 1; offset /= 2)
        v += __shfl_down_sync(0xffffffff, v, offset);

    if (lane == 0)
        C[row * N + col] = v;
}

LAUNCH(.block = {32, WARPS}, .tile = {1, WARPS});
