#include <lab.h>

// Ported from my C program:
//   for (i..) for (j..) for (k..) c[i*n+j] += a[i*n+k] * b[k*n+j];
// The loops over i and j are now threads.

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;

    if (!(i < N && j < N))
        return;

    const int p = i * N + j;
    for (int k = 0; k < N; k++)
        C[p] += A[i * N + k] * B[k * N + j];
}

LAUNCH(.block = {32, 4}, .tile = {32, 4});
