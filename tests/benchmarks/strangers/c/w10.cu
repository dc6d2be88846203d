#include <lab.h>

#define BLOCK 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * BLOCK + threadIdx.y;
    int col = (blockIdx.x * BLOCK + threadIdx.x) * 2;

    if (row >= N || col >= N)
        return;

    bool second = col + 1 < N;
    float left = 0.0f, right = 0.0f;
    for (int k = 0; k < N; ++k) {
        int a = A[row * N + k];  // load once, use twice
        left += a * B[k * N + col];
        if (second)
            right += a * B[k * N + col + 1];
    }
    C[row * N + col] = left;
    if (second)
        C[row * N + col + 1] = right;
}

LAUNCH(.block = {BLOCK, BLOCK}, .tile = {2 * BLOCK, BLOCK});
