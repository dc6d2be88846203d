// expect: ok
// Correct, with the multiply-add in inline PTX.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        asm("fma.rn.f32 %0, %1, %2, %0;" : "+f"(sum) : "f"(A[row * N + k]), "f"(B[k * N + col]));
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
