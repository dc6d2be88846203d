#include <lab.h>

#define N_THREADS 256

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * N_THREADS + threadIdx.x;
    int row = blockIdx.y;

    if (col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

LAUNCH(.tile = {N_THREADS, 1}, .block = {N_THREADS});
