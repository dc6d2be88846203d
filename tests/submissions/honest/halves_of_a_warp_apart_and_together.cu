// expect: ok
// Each half of a warp adds up its parts behind a __syncwarp() of its own, and one of the whole warp joins the two sums.
#include <lab.h>

#define WARP 32
#define HALF 16
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
    unsigned half = lane < HALF ? 0x0000ffffu : 0xffff0000u;
    for (int distance = HALF / 2; distance > 0; distance /= 2) {
        __syncwarp(half);
        float other = lane % HALF < distance ? parts[warp][lane + distance] : 0.0f;
        __syncwarp(half);
        if (lane % HALF < distance)
            parts[warp][lane] += other;
    }
    __syncwarp();
    if (lane == 0)
        C[row * N + col] = parts[warp][0] + parts[warp][HALF];
}

LAUNCH(.block = {WARP, WARPS}, .tile = {1, WARPS});
