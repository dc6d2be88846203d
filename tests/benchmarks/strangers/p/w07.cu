#include <lab.h>
// converted from my C program (homework 1)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i, j, k;
    int total = 0;

    i = blockIdx.y * blockDim.y + threadIdx.y;
    j = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N && j < N)
    {
        for (k = 0; k < N; k++)
        {
            total += A[i*N + k] * B[k*N + j];
        }
        C[i*N + j] = total;
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
