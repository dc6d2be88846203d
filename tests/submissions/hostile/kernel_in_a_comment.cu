// expect: wrong-signature; says: integer, integer
// Takes one size too many, and a comment of the assembly declares the kernel that the lab calls.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N, unsigned more)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    asm volatile("/*\n.entry matmul(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)\n*/");
    sum += more;
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
