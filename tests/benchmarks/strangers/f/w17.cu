#include <lab.h>

// element (r, c) of a row-major matrix
#define AT(r, c, ld) (r * ld + c)
#define ROWS_EACH 4

// Every thread does four rows of one column, so each B value is used four times.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS_EACH;
    if (col >= N) return;

    float s[ROWS_EACH] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int k = 0; k < N; ++k) {
        float b = B[AT(k, col, N)];
#pragma unroll
        for (int i = 0; i < ROWS_EACH; ++i)
            if (row + i < N)
                s[i] += A[AT(row + i, k, N)] * b;
    }

    for (int i = 0; i < ROWS_EACH; ++i) {
        int r = row + i;
        if (r < N)
            C[AT(r, col, N)] = s[i];
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8 * ROWS_EACH});
