#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    int col = blockIdx.y * blockDim.x + threadIdx.x;

    if (row < N && col < N) {
        const float *a = &A[row * N];
        const float *b = &B[col];
        float sum = 0.0f;
        int k = N;
        do {
            sum += *a++ * *b;
            b += N;
        } while (--k);
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {128, 2}, .tile = {128, 2});
