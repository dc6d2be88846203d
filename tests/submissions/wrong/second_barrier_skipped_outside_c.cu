// expect: data-race; lines: 17, 21; says: two barriers, those of line 18 and line 22
// Threads outside C jump over the second barrier of a step: their next first barrier meets the others' second one.
#include "lab.h"

LAUNCH(.block = {16, 16}, .tile = {16, 16});

__global__ void matmul(const float* A, const float* B, float* C, int N) {
    __shared__ float left[16][16], right[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
    bool inside = row < N && col < N;
    float sum = 0;
    int start = 0;
    do {
        int down = start + y, right_of = start + x;
        left[y][x] = row < N && right_of < N ? A[row * N + right_of] : 0;
        right[y][x] = down < N && col < N ? B[down * N + col] : 0;
        __syncthreads();
        if (inside) {
            for (int k = 0; k < 16; k++)
                sum += left[y][k] * right[k][x];
            __syncthreads();
        }
        start += 16;
    } while (start < N);
    if (inside)
        C[row * N + col] = sum;
}
