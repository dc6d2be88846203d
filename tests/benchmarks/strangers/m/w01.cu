// Homework 2, plain version
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // one thread for each element
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < N && j < N) {
        float s = 0.0f;
        for (int k = 0; k < N; k++)
            s += A[i * N + k] * B[j * N + k];
        C[i * N + j] = s;
    }
}

LAUNCH(.block = {16, 16});
