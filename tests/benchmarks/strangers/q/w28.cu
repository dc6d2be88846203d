#include <lab.h>

// matrix multiplication CUDA - assignment 1
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = (blockIdx.y * blockDim.y) + threadIdx.y;
    int col = (blockIdx.x * blockDim.x) + threadIdx.x;

    if (row <= N && col <= N) {
        float tmp = 0.0f;
        for (int k = 0; k < N; k++) {
            tmp += A[(row * N) + k] * B[(k * N) + col];
        }
        C[(row * N) + col] = tmp;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
