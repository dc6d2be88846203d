#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float sum;
    int k;
    int i, j;

    i = blockDim.y * blockIdx.y + threadIdx.y;
    j = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < N && j < N) {
        /* dot product */
        for (k = 0; k < N; k++)
            sum = sum + A[i * N + k] * B[k * N + j];
        C[i * N + j] = sum;
    }
}

LAUNCH(.block = {32, 32}, .tile = {32, 32});
