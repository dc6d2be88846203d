#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;   // column
    int j = blockIdx.y * blockDim.y + threadIdx.y;   // row
    float sum;

    if (i < N && j < N) {
        for (int k = 0; k < N; k++)
            sum += A[j * N + k] * B[k * N + i];
        C[j * N + i] = sum;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
