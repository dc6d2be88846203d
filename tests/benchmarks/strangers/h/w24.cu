#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;
    if (row >= N || col >= N) return;

    float sum = 0.0f;
    int k;
    // unrolled by hand
    for (k = 0; k + 3 < N; k += 4) {
        sum += A[row * N + k] * B[k * N + col];
        sum += A[row * N + k + 1] * B[(k + 1) * N + col];
        sum += A[row * N + k + 2] * B[(k + 2) * N + col];
        sum += A[row * N + k + 3] * B[(k + 3) * N + col];
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
