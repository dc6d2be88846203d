// expect: out-of-bounds; lines: 16; says: outside scale
// Multiplies by a table of ones with three rows, of which an unrolled loop takes a fourth.
#include <lab.h>

__constant__ float scale[3][4] = {{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float sum = 0.0f;
    for (int first = 0; first < N; first += 4)
        for (int k = 0; k < 4; ++k)
            if (first + k < N)
                sum += A[row * N + first + k] * B[(first + k) * N + col] * scale[k][0];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
