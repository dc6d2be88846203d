#include <lab.h>

// from the reduction lab
__device__ __forceinline__ int warpSum(int v)
{
    v += __shfl_down_sync(0xffffffffu, v, 16);
    v += __shfl_down_sync(0xffffffffu, v, 8);
    v += __shfl_down_sync(0xffffffffu, v, 4);
    v += __shfl_down_sync(0xffffffffu, v, 2);
    v += __shfl_down_sync(0xffffffffu, v, 1);
    return v;
}

// Each warp computes one element; a block has 8 warps below each other.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    int row = blockIdx.y * 8 + warp;
    int col = blockIdx.x;
    if (row >= N) return;

    float dot = 0.0f;
    for (int k = lane; k < N; k += 32)
        dot += A[row * N + k] * B[k * N + col];
    dot = warpSum(dot);
    if (lane == 0) C[row * N + col] = dot;
}

LAUNCH(.block = {256}, .tile = {1, 8});
