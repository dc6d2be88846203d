// expect: data-race; lines: 11, 13
// One thread stores the number of terms for its block, and the others read it at once.
#include "lab.h"

LAUNCH(.block = {16, 16}, .tile = {16, 16});

__global__ void matmul(const float* A, const float* B, float* C, int N) {
    __shared__ int terms;
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    if (threadIdx.x == 0 && threadIdx.y == 0) terms = N;
    if (row < N && col < N)
        for (int k = 0; k < terms; k++) sum += A[row * N + k] * B[k * N + col];
    __syncthreads();
    if (row < N && col < N)
        C[row * N + col] = sum;
}
