#include <lab.h>

#define MAXN 2048
#define THREADS 256

// A whole row of A fits in shared memory (8 KB). Each block computes 256 columns of one row.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float line[MAXN];

    const int row = blockIdx.y;
    const int col = blockIdx.x * THREADS + threadIdx.x;

    for (int k = threadIdx.x; k < N; k += THREADS)
        line[k] = A[row * N + k];
    __syncthreads();

    if (col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += line[k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {THREADS}, .tile = {THREADS, 1});
