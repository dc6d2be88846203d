#include <lab.h>

#define WARPS_PER_BLOCK 4

__device__ void warpReduce(float *s, int lane)
{
    // threads of a warp run in lockstep, no barrier is needed
    if (lane < 16) {
        s[lane] += s[lane + 16];
        s[lane] += s[lane + 8];
        s[lane] += s[lane + 4];
        s[lane] += s[lane + 2];
        s[lane] += s[lane + 1];
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sdata[WARPS_PER_BLOCK][32];
    int lane = threadIdx.x;
    int w = threadIdx.y;
    int row = blockIdx.y;
    int col = blockIdx.x * WARPS_PER_BLOCK + w;

    float mine = 0.0f;
    if (col < N)
        for (int k = lane; k < N; k += 32)
            mine += A[row * N + k] * B[k * N + col];
    sdata[w][lane] = mine;
    __syncthreads();

    warpReduce(sdata[w], lane);

    if (lane == 0 && col < N)
        C[row * N + col] = sdata[w][0];
}

LAUNCH(.block = {32, WARPS_PER_BLOCK}, .tile = {WARPS_PER_BLOCK, 1});
