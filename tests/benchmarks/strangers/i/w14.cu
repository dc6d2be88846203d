#include <lab.h>

// Each thread computes two rows, so B's element is loaded once for both.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * 32 + threadIdx.x;
    int row0 = blockIdx.y * 16 + threadIdx.y;
    int row1 = row0 + 8;
    if (col >= N || row0 >= N) return;

    float s0 = 0.0f, s1;
    for (int k = 0; k < N; k++) {
        float b = B[k * N + col];
        s0 += A[row0 * N + k] * b;
        if (row1 < N)
            s1 += A[row1 * N + k] * b;
    }

    C[row0 * N + col] = s0;
    if (row1 < N)
        C[row1 * N + col] = s1;
}

LAUNCH(.block = {32, 8}, .tile = {32, 16});
