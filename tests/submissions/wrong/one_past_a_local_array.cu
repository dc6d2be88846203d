// expect: out-of-bounds; lines: 14; says: reads outside the local array sums in line 14: byte 16 of 16
// Spreads a sum over four variables of the thread, and counts five; the fifth is the first of the next array.
#include "lab.h"

LAUNCH(.block = {16, 16}, .tile = {16, 16});

__global__ void matmul(const float* A, const float* B, float* C, int N) {
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float sums[4] = {}, lost[4] = {};
    for (int k = 0; k < N; k++) {
        float product = A[row * N + k] * B[k * N + col];
        sums[k % 5] += product;
        lost[k * k % 4] += product - product;
    }
    C[row * N + col] = sums[0] + sums[1] + sums[2] + sums[3] + lost[N % 4];
}
