#include <lab.h>

#define COLS_PER_BLOCK 64
#define ROWS_PER_BLOCK 8

// grid: x = rows, y = columns
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.y;
    int col = blockIdx.y * COLS_PER_BLOCK + threadIdx.x;
    __shared__ float a[ROWS_PER_BLOCK][COLS_PER_BLOCK];
    float sum = 0;

    for (int base = 0; base < N; base += COLS_PER_BLOCK) {
        if (row < N && base + threadIdx.x < N)
            a[threadIdx.y][threadIdx.x] = A[row * N + base + threadIdx.x];
        __syncthreads();
        int count = min(COLS_PER_BLOCK, N - base);
        if (row < N && col < N)
            for (int k = 0; k < count; k++)
                sum += a[threadIdx.y][k] * B[(base + k) * N + col];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {COLS_PER_BLOCK, ROWS_PER_BLOCK}, .tile = {COLS_PER_BLOCK, ROWS_PER_BLOCK});
