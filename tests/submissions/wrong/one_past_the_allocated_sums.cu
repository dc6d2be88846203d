// expect: out-of-bounds; lines: 16; says: outside memory from malloc() or new
// Counts the partial sums from 1, and allocates no room for the last of them.
#include <lab.h>

#define PARTS 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float *parts = (float *)malloc(PARTS * sizeof(float));
    for (int i = 1; i <= PARTS; ++i)
        parts[i] = 0.0f;
    for (int k = 0; k < N; ++k)
        parts[1 + k % PARTS] += A[row * N + k] * B[k * N + col];
    float sum = 0.0f;
    for (int i = 1; i <= PARTS; ++i)
        sum += parts[i];
    C[row * N + col] = sum;
    free(parts);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
