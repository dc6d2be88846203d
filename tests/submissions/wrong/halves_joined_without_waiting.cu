// expect: data-race; lines: 20, 24; says: line 24 reads it
// Half of a warp adds what the other half has written. It waits inside the branch, where the other half is not.
#include <cooperative_groups.h>
#include <lab.h>

#define WARP 32
#define WARPS 4

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
    if (lane < WARP / 2) {
        auto half = cooperative_groups::coalesced_threads();
        half.sync();
        part += parts[warp][lane + WARP / 2];
        for (int distance = WARP / 4; distance > 0; distance /= 2)
            part += half.shfl_down(part, distance);
        if (lane == 0)
            C[row * N + col] = part;
    }
}

LAUNCH(.block = {WARP, WARPS}, .tile = {1, WARPS});
