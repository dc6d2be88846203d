#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int width = gridDim.x * blockDim.x;   // total number of threads in a row

    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; k++) {
            float a = A[row * N + k];
            float b = B[k * N + col];
            sum += a * b;
        }
        C[row * width + col] = sum;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
