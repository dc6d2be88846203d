#include <lab.h>

#define THREADS 96
#define OUT 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float buf[THREADS];
    const int tid = threadIdx.x;
    const int row = blockIdx.y;

    for (int c = 0; c < OUT; ++c) {
        const int col = blockIdx.x * OUT + c;
        float mine = 0.0f;
        if (col < N)
            for (int k = tid; k < N; k += THREADS)
                mine += A[row * N + k] * B[k * N + col];
        buf[tid] = mine;
        __syncthreads();
        for (int s = THREADS / 2; s > 0; s /= 2) {
            if (tid < s)
                buf[tid] += buf[tid + s];
            __syncthreads();
        }
        if (tid == 0 && col < N)
            C[row * N + col] = buf[0];
        __syncthreads();
    }
}

LAUNCH(.block = {THREADS}, .tile = {OUT, 1});
