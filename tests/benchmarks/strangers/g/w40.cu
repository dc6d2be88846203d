#include <lab.h>

#define AT(M, r, c) M[r * N + c]
#define ROWS_PER_THREAD 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS_PER_THREAD;
    const int rows = min(ROWS_PER_THREAD, N - row);

    if (col >= N || rows <= 0)
        return;

    float sum[ROWS_PER_THREAD] = {0};

    for (int k = 0; k < N; ++k) {
        const float b = AT(B, k, col);
        for (int i = 0; i < rows; ++i)
            sum[i] += AT(A, row + i, k) * b;
    }

    float *out = C + row * N + col;
    for (int i = 0; i < rows; ++i, out += N)
        *out = sum[i];
}

LAUNCH(.block = {16, 16}, .tile = {16, 16 * ROWS_PER_THREAD});
