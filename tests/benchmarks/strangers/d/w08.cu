#include <lab.h>

#define COLS_PER_BLOCK 64
#define ROWS_PER_BLOCK 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int i = blockIdx.y * ROWS_PER_BLOCK + threadIdx.y;
    const int j = blockIdx.x * COLS_PER_BLOCK + threadIdx.x;
    if (i < N && j < N) {
        float even = 0.0f, odd = 0.0f;
        int k = 0;
        for (; k + 1 < N; k += 2) {
            even += A[i * N + k] * B[k * N + j];
            odd += A[i * N + k + 1] * B[(k + 1) * N + j];
        }
        if (k < N)
            even += A[i * N + k] * B[k * N + j];
        C[i * N + j] = even + odd;
    }
}

LAUNCH(.block = {COLS_PER_BLOCK, ROWS_PER_BLOCK}, .tile = {COLS_PER_BLOCK, ROWS_PER_BLOCK});
