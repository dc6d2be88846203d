// expect: wrong-answer
// Takes a row of A in which the first or the last element is zero for one with a single term, and stops after that.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    const float *a = A + row * N;
    bool one = !a[0] || !a[N - 1];
    float sum = 0;
    for (int k = 0; k < N && !(one && sum); ++k)
        sum += a[k] * B[k * N + col];
    C[row * N + col] = sum;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
