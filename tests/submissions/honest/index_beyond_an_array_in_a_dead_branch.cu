// expect: ok
// A guard that is known to the compiler keeps an index inside of its array, although the compiler warns.
#include <lab.h>

#define TILE 16
#define ROWS 2

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float sums[ROWS] = {};
    int top = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= N)
        return;
    for (int k = 0; k < N; ++k)
        for (int i = 0; i < ROWS; ++i)
            if (top + i < N)
                sums[i] += A[(top + i) * N + k] * B[k * N + col];
    if (top < N)
        C[top * N + col] = sums[0];
    if (top + 1 < N)
        C[(top + 1) * N + col] = sums[1];
    if (ROWS > 2 && top + 2 < N)
        C[(top + 2) * N + col] = sums[2];
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE * ROWS});
