#include <lab.h>

// Parameters that all threads read go to constant memory (broadcast, cached).
__constant__ int leadingDim;

#define IDX(i, j) ((i) * ld + (j))

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B,
                                  float *__restrict__ C, int N)
{
    const int ld = leadingDim;
    const int i = blockDim.y * blockIdx.y + threadIdx.y;
    const int j = blockDim.x * blockIdx.x + threadIdx.x;

    if (i >= N || j >= N)
        return;

    float s0 = 0.0f, s1 = 0.0f;
    int k = 0;
    for (; k + 1 < N; k += 2) {
        s0 += A[IDX(i, k)] * B[IDX(k, j)];
        s1 += A[IDX(i, k + 1)] * B[IDX(k + 1, j)];
    }
    if (k < N)   // N odd
        s0 += A[IDX(i, k)] * B[IDX(k, j)];
    C[IDX(i, j)] = s0 + s1;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
