// expect: out-of-bounds; lines: 15; says: outside the local array “sums” in line 15: byte 24 of 24 (element 6 of 6
// Adds six sums of the thread four at a time; the second four reach into the next array.
#include "lab.h"

LAUNCH(.block = {16, 16}, .tile = {16, 16});

__global__ void matmul(const float* A, const float* B, float* C, int N) {
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= N || col >= N)
        return;
    __align__(16) float sums[6] = {}, counts[6] = {};
    for (int k = 0; k < N; k++) sums[k % 6] += A[row * N + k] * B[k * N + col], counts[k % 6]++;
    float sum = 0;
    for (int i = 0; i < 2; i++) {
        float4 four = reinterpret_cast<float4*>(sums)[(i + N) % 2];
        sum += four.x + four.y + ((i + N) % 2 ? 0 : four.z + four.w);
    }
    C[row * N + col] = counts[N % 6] ? sum : 0;
}
