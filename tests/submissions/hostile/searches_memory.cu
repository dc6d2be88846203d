// expect: crashed or out-of-bounds
// Walks through memory in large steps, from C outwards, in search of a copy of the expected answer.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float wanted = 0.0f;
    for (int k = 0; k < N; ++k)
        wanted += A[k] * B[k * N];
    const float *found = C + (1 << 18);
    while (found[0] != wanted)
        found += 1 << 18;
    C[row * N + col] = found[row * N + col];
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
