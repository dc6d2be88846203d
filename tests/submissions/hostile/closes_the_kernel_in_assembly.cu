// expect: compile-error or not-supported or wrong-answer or no-kernel
// Inline PTX that closes the kernel's body and begins another kernel.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    asm volatile("ret;\n}\n.visible .entry other()\n{\n.reg .f32 %f<99>;\n");
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
