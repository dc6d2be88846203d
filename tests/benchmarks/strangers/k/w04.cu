#include "lab.h"

#define THREADS 256
#define ROW_MAX 2048

// A block keeps a whole row of A in shared memory and computes 256 columns of that row of C.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float cached_row[ROW_MAX];

    const int row = blockIdx.y;
    const int col = blockIdx.x * THREADS + threadIdx.x;

    for (int i = threadIdx.x; i < N; i += THREADS)
        cached_row[i] = A[row * N + i];
    __syncthreads();

    if (col >= N)
        return;

    float result = 0.0f;
    for (int i = 0; i < N; i++)
        result = fmaf(cached_row[i], B[i * N + col], result);
    C[row * N + col] = result;
}

LAUNCH(.block = {THREADS}, .tile = {THREADS, 1});
