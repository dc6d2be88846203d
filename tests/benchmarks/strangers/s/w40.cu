#include <lab.h>

// four independent accumulators hide the latency of the FMA (jaeyoon, hw2)
#define BX 32
#define BY 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * BY + threadIdx.y;
    const int col = blockIdx.x * BX + threadIdx.x;
    if (row >= N || col >= N) return;

    float s0 = 0.f, s1 = 0.f, s2 = 0.f, s3 = 0.f;
    int k = 0;
    for (; k + 3 < N; k += 4) {
        s0 += A[row * N + k + 0] * B[(k + 0) * N + col];
        s1 += A[row * N + k + 1] * B[(k + 1) * N + col];
        s2  = A[row * N + k + 2] * B[(k + 2) * N + col];
        s3 += A[row * N + k + 3] * B[(k + 3) * N + col];
    }
    for (; k < N; ++k)
        s0 += A[row * N + k] * B[k * N + col];

    C[row * N + col] = (s0 + s1) + (s2 + s3);
}

LAUNCH(.block = {BX, BY}, .tile = {BX, BY});
