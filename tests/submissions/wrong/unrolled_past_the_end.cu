// expect: out-of-bounds; lines: 15
// Unrolled by four, and the last round runs past the end of the row.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; k += 4)
        for (int i = 0; i < 4; ++i)
            sum += A[row * N + k + i] * B[(k + i) * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
