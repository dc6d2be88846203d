// expect: data-race; lines: 17, 20; says: __syncwarp() between line 17 and line 20
// Each warp adds the partial sums of its row in shared memory, and relies on its threads running in lockstep.
#include <lab.h>

#define WARP 32
#define WARPS 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float parts[WARPS][WARP];
    int lane = threadIdx.x, warp = threadIdx.y;
    int row = blockIdx.y * WARPS + warp, col = blockIdx.x;
    float sum = 0.0f;
    if (row < N)
        for (int k = lane; k < N; k += WARP)
            sum += A[row * N + k] * B[k * N + col];
    parts[warp][lane] = sum;
    for (int stride = WARP / 2; stride > 0; stride /= 2)
        if (lane < stride)
            parts[warp][lane] += parts[warp][lane + stride];
    if (lane == 0 && row < N)
        C[row * N + col] = parts[warp][0];
}

LAUNCH(.block = {WARP, WARPS}, .tile = {1, WARPS});
