#include <lab.h>

#define COLS_B 32
#define ROWS_B 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // x blocks go down the matrix, y blocks go to the right
    int row = blockIdx.x * ROWS_B + threadIdx.y;
    int col = blockIdx.y * COLS_B + threadIdx.x;

    if (row < N && col < N) {
        float even = 0.0f;
        float odd = 0.0f;
        for (int k = 0; k < N; k += 2) {
            even += A[row * N + k] * B[k * N + col];
            if (k + 1 < N)
                odd += A[row * N + k + 1] * B[(k + 1) * N + col];
        }
        C[row * N + col] = even + odd;
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
