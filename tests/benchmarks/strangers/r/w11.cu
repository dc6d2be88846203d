#include <lab.h>

__device__ float warpReduce(float v)
{
    for (int d = 8; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    return v;
}

// One warp per element of C. A block has 8 warps, one for each column of the tile.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int lane = threadIdx.x;
    int col = blockIdx.x * 8 + threadIdx.y;
    int row = blockIdx.y;
    float v = 0.0f;

    if (col < N)
        for (int k = lane; k < N; k += 32)
            v += A[row * N + k] * B[k * N + col];
    v = warpReduce(v);
    if (lane == 0 && col < N)
        C[row * N + col] = v;
}

LAUNCH(.block = {32, 8}, .tile = {8, 1});
