// expect: data-race; lines: 19, 24; says: of the same warp
// Each half of a warp waits with a mask of its own, and then lane 0 adds up the parts of both halves.
#include <lab.h>

#define WARP 32
#define WARPS 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float parts[WARPS][WARP];
    int lane = threadIdx.x, warp = threadIdx.y;
    int row = blockIdx.y * WARPS + warp;
    int col = blockIdx.x;
    if (row >= N)
        return;
    float part = 0.0f;
    for (int k = lane; k < N; k += WARP)
        part += A[row * N + k] * B[k * N + col];
    parts[warp][lane] = part;
    __syncwarp(lane < WARP / 2 ? 0x0000ffffu : 0xffff0000u);
    if (lane == 0) {
        float sum = 0.0f;
        for (int other = 0; other < WARP; ++other)
            sum += parts[warp][other];
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {WARP, WARPS}, .tile = {1, WARPS});
