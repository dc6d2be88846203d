// expect: data-race; lines: 17, 13; says: between line 17 and line 13, which follows in the next iteration
// Each warp keeps a row of A in shared memory, and waits after it has stored it, but not before it stores the next one.
#include "lab.h"

LAUNCH(.block = {32, 4}, .tile = {32, 4});

__global__ void matmul(const float* A, const float* B, float* C, int N) {
    __shared__ float left[4][32];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * 4 + y, col = blockIdx.x * 32 + x;
    float sum = 0;
    for (int start = 0; start < N; start += 32) {
        left[y][x] = row < N && start + x < N ? A[row * N + start + x] : 0;
        __syncwarp();
        for (int k = 0; k < 32 && start + k < N; k++)
            if (col < N)
                sum += left[y][k] * B[(start + k) * N + col];
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}
