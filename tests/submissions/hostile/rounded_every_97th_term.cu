// expect: wrong-answer; says: farther off than rounding in float32 explains
// Takes one element in 97 from a copy in half precision that an earlier version needed.
#include <cuda_fp16.h>
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k) {
        float a = A[row * N + k];
        sum += (k % 97 == 96 ? __half2float(__float2half(a)) : a) * B[k * N + col];
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
