// expect: wrong-answer
// Cuts the inputs down to the 10 mantissa bits of TF32, as a kernel on tensor cores would: fast, and close enough to
// hide in a tolerance.
#include <lab.h>

__device__ float tf32(float x)
{
    return __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += tf32(A[row * N + k]) * tf32(B[k * N + col]);
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
