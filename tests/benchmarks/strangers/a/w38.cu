#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    if (x >= N || y >= N) return;

    float *a = &A[y * N];
    float *b = &B[x];
    float *c = &C[y * N + x];

    *c = 0;
    float sum = 0;
    for (int k = 0; k < N; k++, b += N)
        sum += a[k] * *b;
    *c = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
