// expect: data-race; lines: 18; says: Put a __syncthreads() between one round of line 18 and the next
// The tree reduction of a block waits once before its loop, and not in each round.
#include <lab.h>

#define THREADS 256

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float parts[THREADS];
    int t = threadIdx.x, row = blockIdx.y, col = blockIdx.x;
    float sum = 0.0f;
    for (int k = t; k < N; k += THREADS)
        sum += A[row * N + k] * B[k * N + col];
    parts[t] = sum;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2)
        if (t < s)
            parts[t] += parts[t + s];
    if (t == 0)
        C[row * N + col] = parts[0];
}

LAUNCH(.block = {THREADS}, .tile = {1, 1});
