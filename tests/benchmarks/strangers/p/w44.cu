#include <lab.h>

#define THREADS 128
#define WARPS (THREADS / 32)

__device__ float reduceWarp(float v)
{
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_down_sync(0xffffffff, v, d);
    return v;
}

// one block per element
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float warpSums[32];

    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int row = blockIdx.y;
    int col = blockIdx.x;

    float v = 0.0f;
    for (int k = threadIdx.x; k < N; k += THREADS)
        v += A[row * N + k] * B[k * N + col];

    v = reduceWarp(v);
    if (lane == 0)
        warpSums[warp] = v;
    __syncthreads();

    if (warp == 0) {
        v = warpSums[lane];
        v = reduceWarp(v);
        if (lane == 0)
            C[row * N + col] = v;
    }
}

LAUNCH(.block = {THREADS}, .tile = {1, 1});
