#include <lab.h>

typedef unsigned char index_t;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 8 + threadIdx.y;
    int col = blockIdx.x * 32 + threadIdx.x;

    if (row < N && col < N) {
        float sum = 0.0f;
        for (index_t k = 0; k < N; k++)
            sum += A[row * N + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
