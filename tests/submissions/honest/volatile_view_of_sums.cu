// expect: ok
// The lanes of a warp add their sums in shared memory, stored as floats and read through a volatile pointer.
#include <lab.h>

#define WARP 32
#define WARPS 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sums[WARPS][WARP];
    int lane = threadIdx.x, warp = threadIdx.y;
    int row = blockIdx.y * WARPS + warp, col = blockIdx.x;
    float sum = 0.0f;
    if (row < N)
        for (int k = lane; k < N; k += WARP)
            sum += A[row * N + k] * B[k * N + col];
    sums[warp][lane] = sum;
    __syncwarp();
    volatile float *own = sums[warp];
    for (int half = WARP / 2; half > 0; half /= 2) {
        float other = lane < half ? own[lane + half] : 0.0f;
        __syncwarp();
        if (lane < half)
            own[lane] = own[lane] + other;
        __syncwarp();
    }
    if (row < N && lane == 0)
        C[row * N + col] = own[0];
}

LAUNCH(.block = {WARP, WARPS}, .tile = {1, WARPS});
