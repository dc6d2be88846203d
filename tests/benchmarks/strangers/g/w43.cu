#include <lab.h>

// 64 threads share one dot product, as in "Optimizing Parallel Reduction in CUDA"
#define LEN 64
#define DOTS 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sdata[DOTS][LEN];

    unsigned int tid = threadIdx.x;
    unsigned int d = threadIdx.y;
    int row = blockIdx.y;
    int col = blockIdx.x * DOTS + d;

    float mySum = 0.0f;
    if (col < N)
        for (int k = tid; k < N; k += LEN)
            mySum += A[row * N + k] * B[k * N + col];

    sdata[d][tid] = mySum;
    __syncthreads();

    // the last 64 values
    if (tid < 32) {
        sdata[d][tid] += sdata[d][tid + 32];
        sdata[d][tid] += sdata[d][tid + 16];
        sdata[d][tid] += sdata[d][tid + 8];
        sdata[d][tid] += sdata[d][tid + 4];
        sdata[d][tid] += sdata[d][tid + 2];
        sdata[d][tid] += sdata[d][tid + 1];
    }

    if (tid == 0 && col < N)
        C[row * N + col] = sdata[d][0];
}

LAUNCH(.block = {LEN, DOTS}, .tile = {DOTS, 1});
