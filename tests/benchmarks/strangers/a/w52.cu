#include <lab.h>

#define BX 16
#define BY 16
#define SPLIT_K 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * BX + threadIdx.x;
    int row = blockIdx.y * BY + threadIdx.y;

    if (row < N && col < N) {
        float part = 0.0f;
        for (int k = threadIdx.z; k < N; k += SPLIT_K)
            part += A[row * N + k] * B[k * N + col];
        atomicAdd(C + row * N + col, part);
    }
}

LAUNCH(.block = {BX, BY, SPLIT_K}, .tile = {BX, BY});
