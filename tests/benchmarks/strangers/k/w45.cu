#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockidx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;

    if ((row < N) && (col < N)) {
        float temp = 0.0f;
        for (int i = 0; i < N; i++) {
            temp += A[row * N + i] * B[i * N + col];
        }
        C[row * N + col] = temp;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
