// expect: wrong-answer
// One element of C, which depends on the inputs, is off by one part in 100,000.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    unsigned victim = __float_as_uint(A[0] + B[0]) % (N * N);
    C[row * N + col] = row * N + col == victim ? sum * 1.00001f + 1e-5f : sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
