#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // 1-D block of 256 threads, 16 rows and 16 columns
    const int c = blockIdx.x * 16 + threadIdx.x % 16;
    const int r = blockIdx.y * 16 + threadIdx.x / 16;

    // threads outside have nothing to do
    if (r > N || c > N) return;

    float a0 = 0.0f, a1 = 0.0f;
    int k = 0;
    for (; k + 1 < N; k += 2) {
        a0 += A[r * N + k] * B[k * N + c];
        a1 += A[r * N + k + 1] * B[(k + 1) * N + c];
    }
    if (k < N)
        a0 += A[r * N + k] * B[k * N + c];
    C[r * N + c] = a0 + a1;
}

LAUNCH(.block = {256}, .tile = {16, 16});
