#include <lab.h>

// One warp per row of the tile. The 32 lanes share the dot product.
#define TILE_W 8
#define TILE_H 8

__device__ float warpReduceSum(float val)
{
    for (int offset = 8; offset > 0; offset /= 2)
        val += __shfl_down_sync(0xffffffff, val, offset);
    return val;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int lane = threadIdx.x;
    int row = blockIdx.y * TILE_H + threadIdx.y;
    if (row >= N)
        return; // whole warp

    for (int j = 0; j < TILE_W; ++j) {
        int col = blockIdx.x * TILE_W + j;
        if (col >= N)
            break;
        float part = 0.0f;
        for (int k = lane; k < N; k += 32)
            part += A[row * N + k] * B[k * N + col];
        part = warpReduceSum(part);
        if (lane == 0)
            C[row * N + col] = part;
    }
}

LAUNCH(.block = {32, TILE_H}, .tile = {TILE_W, TILE_H});
