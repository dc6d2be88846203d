// expect: ok
// Keeps two sums in memory of the heap, which other threads get again when it is freed.
#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float *sums = new float[2];
    sums[0] = sums[1] = 0;
    for (int k = 0; k < N; ++k)
        sums[k & 1] += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sums[0] + sums[1];
    delete[] sums;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
