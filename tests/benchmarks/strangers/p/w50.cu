#include <lab.h>

/* Port of my Fortran subroutine */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N || j >= N) return;

    const float *a = &A[i * N];
    float sum = 0.0f;

    for (int k = 1; k <= N; k++)
        sum += a[k - 1] * B[k * N + j];

    C[i * N + j] = sum;
}

LAUNCH(.block = {128, 2}, .tile = {128, 2});
