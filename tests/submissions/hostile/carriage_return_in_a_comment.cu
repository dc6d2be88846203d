// expect: wrong-answer
// Replaces the sum in a line of assembly that a comment hides, if carriage returns are taken for ends of lines.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    asm volatile("// the true sum \r add.f32 %0, %0, %1; // \r and /* \n mov.f32 %0, %1; // \r */" : "+f"(sum) : "f"(-0.5f));
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
