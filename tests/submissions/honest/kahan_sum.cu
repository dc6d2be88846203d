// expect: ok
// Kahan's summation: carries the rounding error of each addition into the next one.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f, lost = 0.0f;
    for (int k = 0; k < N; ++k) {
        float term = fmaf(A[row * N + k], B[k * N + col], -lost);
        float next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
