#include <lab.h>

// translated from matmul_loop.m
#define SUB2IND(i, j) ((j) * N + (i))

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N && j < N) {
        float total = 0;
        for (int k = 0; k <= N - 1; k++) {
            total = total + A[SUB2IND(i, k)] * B[SUB2IND(k, j)];
        }
        C[SUB2IND(i, j)] = total;
    }
}

LAUNCH(.block = {32, 32}, .tile = {32, 32});
