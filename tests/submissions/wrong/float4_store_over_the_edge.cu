// expect: out-of-bounds; lines: 16
// Stores four columns at once if the first of them is inside; sizes that are a multiple of four work.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (row >= N || col >= N)
        return;

    for (int i = 0; i < 4; ++i) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + min(col + i, N - 1)];
        C[row * N + col + i] = sum;
    }
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
