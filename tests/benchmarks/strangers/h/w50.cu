#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < N && col < N) {
        float value = 0.0f;
        int k = 0;
        while (k < N) {
            value += A[row * N + k] * B[k * N + col];
            k =+ 1;
        }
        C[row * N + col] = value;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
