#include <lab.h>

typedef unsigned int uint32;

#define BLOCK 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const uint32 row = blockIdx.y * BLOCK + threadIdx.y;
    const uint32 col = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float acc = 0.0f;
    uint32 k = 0;
    for (; k <= N - 4u; k += 4) {
        acc += A[row * N + k] * B[k * N + col];
        acc += A[row * N + k + 1] * B[(k + 1) * N + col];
        acc += A[row * N + k + 2] * B[(k + 2) * N + col];
        acc += A[row * N + k + 3] * B[(k + 3) * N + col];
    }
    for (; k < N; ++k)
        acc += A[row * N + k] * B[k * N + col];
    C[row * N + col] = acc;
}

LAUNCH(.block = {BLOCK, BLOCK}, .tile = {BLOCK, BLOCK});
