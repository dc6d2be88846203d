#include <lab.h>

#define THREADS 128
#define CHUNK   256

// A block computes 128 columns of one row, so the whole block needs the same row of A.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float rowA[CHUNK];

    int col = blockIdx.x * THREADS + threadIdx.x;
    int row = blockIdx.y;
    float sum = 0.0f;

    for (int base = 0; base < N; base += CHUNK) {
        int k = base + threadIdx.x;
        if (k < N)
            rowA[threadIdx.x] = A[row * N + k];
        __syncthreads();

        int n = min(CHUNK, N - base);
        if (col < N)
            for (int i = 0; i < n; ++i)
                sum += rowA[i] * B[(base + i) * N + col];
        __syncthreads();
    }

    if (col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {THREADS}, .tile = {THREADS, 1});
