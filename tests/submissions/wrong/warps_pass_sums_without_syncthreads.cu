// expect: data-race; lines: 17, 22; says: Put a __syncthreads() between
// Warps reduce by shuffles and keep their sums in shared memory; the first thread adds these after a __syncwarp() only.
#include <lab.h>

#define THREADS 128

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sums[THREADS / 32];
    int t = threadIdx.x, row = blockIdx.y, col = blockIdx.x;
    float sum = 0.0f;
    for (int k = t; k < N; k += THREADS)
        sum += A[row * N + k] * B[k * N + col];
    for (int offset = 16; offset > 0; offset >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (t % 32 == 0)
        sums[t / 32] = sum;
    __syncwarp();
    if (t == 0) {
        float total = 0.0f;
        for (int w = 0; w < THREADS / 32; ++w)
            total += sums[w];
        C[row * N + col] = total;
    }
}

LAUNCH(.block = {THREADS}, .tile = {1, 1});
