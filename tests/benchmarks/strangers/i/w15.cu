#include <lab.h>

#define B_SIZE 32

// my first CUDA kernel!
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * B_SIZE + threadIdx.y;
    int col = blockIdx.x * B_SIZE + threadIdx.x;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k) {
        sum = sum + A[row * N + k] * B[k * N + col];
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {B_SIZE, B_SIZE}, .tile = {B_SIZE, B_SIZE});
