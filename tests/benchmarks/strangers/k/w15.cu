#include <lab.h>

// Each thread computes a 2x2 patch.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = (blockIdx.y * 16 + threadIdx.y) * 2;
    int col = (blockIdx.x * 16 + threadIdx.x) * 2;
    float c00 = 0, c01 = 0, c10 = 0, c11 = 0;
    bool r0 = row < N, r1 = row + 1 < N, k0 = col < N, k1 = col + 1 < N;

    for (int k = 0; k < N; k++) {
        float a0 = r0 ? A[row * N + k] : 0;
        float a1 = r1 ? A[(row + 1) * N + k] : 0;
        float b0 = k0 ? B[k * N + col] : 0;
        float b1 = k1 ? B[k * N + col + 1] : 0;
        c00 += a0 * b0;
        c01 += a0 * b1;
        c10 += a1 * b0;
        c11 += a1 * b1;
    }
    if (r0 && k0) C[row * N + col] = c00;
    if (r0 && k1) C[row * N + col + 1] = c01;
    if (r1 && k0) C[(row + 1) * N + col] = c10;
    if (r1 && k1) C[(row + 1) * N + col + 1] = c11;
}

LAUNCH(.block = {16, 16}, .tile = {64, 64});
