#include <lab.h>

#define BLOCK_THREADS 128

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sdata[BLOCK_THREADS];
    const unsigned int tid = threadIdx.x;
    const int i = blockIdx.y;

    for (int jj = 0; jj < 16; ++jj) {
        const int j = blockIdx.x * 16 + jj;
        if (j >= N)
            break;

        float mySum = 0.0f;
        for (int k = tid; k < N; k += BLOCK_THREADS)
            mySum += A[i * N + k] * B[k * N + j];
        sdata[tid] = mySum;
        __syncthreads();

        if (tid < 64)
            sdata[tid] += sdata[tid + 64];
        __syncthreads();
        if (tid < 32) {
            sdata[tid] += sdata[tid + 32];
            sdata[tid] += sdata[tid + 16];
            sdata[tid] += sdata[tid + 8];
            sdata[tid] += sdata[tid + 4];
            sdata[tid] += sdata[tid + 2];
            sdata[tid] += sdata[tid + 1];
        }
        if (tid == 0)
            C[i * N + j] = sdata[0];
        __syncthreads();
    }
}

LAUNCH(.block = {BLOCK_THREADS}, .tile = {16, 1});
