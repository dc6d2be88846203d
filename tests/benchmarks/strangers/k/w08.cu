#include <lab.h>

#define BX 64
#define BY 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * BX + threadIdx.x;
    int row = blockIdx.y * BY + threadIdx.y;
    if (col < N && row < N) {
        float v = 0.0f;
#pragma unroll 8
        for (int k = 0; k < N; ++k)
            v += __ldg(&A[row * N + k]) * __ldg(&B[k * N + col]);
        C[row * N + col] = v;
    }
}

LAUNCH(.block = {BX, BY}, .tile = {BX, BY});
