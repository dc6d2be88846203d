#include <lab.h>

// shared memory is faster than global memory, so we keep the sum there
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sum;
    int row = blockIdx.y * 16 + threadIdx.y;
    int col = blockIdx.x * 16 + threadIdx.x;

    if (row < N) {
        if (col < N) {
            sum = 0.0f;
            for (int k = 0; k < N; ++k) {
                float left = A[row * N + k];
                float right = B[k * N + col];
                sum += left * right;
            }
            C[row * N + col] = sum;
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
