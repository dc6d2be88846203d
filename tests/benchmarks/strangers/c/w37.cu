#include <lab.h>

#define MAX_N 1024
#define THREADS 128

// One row of A per block, kept in shared memory.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float rowA[MAX_N];
    int row = blockIdx.y;
    int col = blockIdx.x * THREADS + threadIdx.x;

    for (int k = threadIdx.x; k < N; k += THREADS)
        rowA[k] = A[row * N + k];
    __syncthreads();

    if (col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += rowA[k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {THREADS}, .tile = {THREADS, 1});
