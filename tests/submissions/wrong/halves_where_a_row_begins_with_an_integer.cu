// expect: wrong-answer
// Keeps 11 bits of both factors where the first elements of a row of A look like small integers; others may be larger.
#include <cuda_fp16.h>
#include <lab.h>

__device__ float shortened(float x, bool small) { return small ? __half2float(__float2half(x)) : x; }

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    bool small = true;
    for (int k = 0; k < 4 && k < N; ++k) {
        float a = A[row * N + k];
        small = small && a == truncf(a) && fabsf(a) < 2048;
    }
    float sum = 0;
    for (int k = 0; k < N; ++k)
        sum += shortened(A[row * N + k], small) * shortened(B[k * N + col], small);
    C[row * N + col] = sum;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
