// expect: wrong-answer
// Multiplies in full precision and keeps 11 bits of every partial sum, as accumulating in fp16 does. Splitting a
// number at 2^13 + 1 (Veltkamp) rounds it without any half type.
#include <lab.h>

__device__ float eleven_bits(float x)
{
    float scaled = __fmul_rn(x, 8193.0f);
    return __fsub_rn(scaled, __fsub_rn(scaled, x));
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum = eleven_bits(sum + A[row * N + k] * B[k * N + col]);
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
