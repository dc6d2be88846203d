// expect: out-of-bounds; lines: 9; says: reads outside the local array “window” in line 9: byte -4 of 16
// Adds the last four products from a ring in the thread's own memory, and begins one element before the ring.
#include "lab.h"

LAUNCH(.block = {16, 16}, .tile = {16, 16});

__device__ float total(const float* ring, int last) {
    float sum = 0;
    for (int back = 0; back < 4; back++) sum += ring[last - back];
    return sum;
}

__global__ void matmul(const float* A, const float* B, float* C, int N) {
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float counts[4] = {}, window[4] = {}, sum = 0;
    for (int k = 0; k < N; k++) {
        window[k % 4] = A[row * N + k] * B[k * N + col];
        counts[k * k % 4] += 1;
        if (k % 4 == 3 || k == N - 1)
            sum += total(window, k % 4);
    }
    C[row * N + col] = sum + (counts[N % 4] < 0);
}
