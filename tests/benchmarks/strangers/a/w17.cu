#include <lab.h>

typedef unsigned char u8;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i = blockIdx.y * 16 + threadIdx.y;
    int j = blockIdx.x * 16 + threadIdx.x;

    if (i < N && j < N) {
        float acc = 0.f;
        for (u8 k = 0; k < N; k++)
            acc += A[i * N + k] * B[k * N + j];
        C[i * N + j] = acc;
    }
}

LAUNCH(.block = {16, 16});
