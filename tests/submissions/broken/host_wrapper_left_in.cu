// expect: ok
// The function that called the kernel in the author's own program was submitted as well.
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
    C[row * N + col] = sum;
}

void multiply(const float *A, const float *B, float *C, int N)
{
    dim3 block(16, 16), grid((N + 15) / 16, (N + 15) / 16);
    matmul<<<grid, block>>>(A, B, C, N);
    cudaDeviceSynchronize();
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
