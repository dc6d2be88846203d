#include <lab.h>

// MatrixMultiplier.java -> CUDA
extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N) {
    final int rowIndex = blockIdx.y * blockDim.y + threadIdx.y;
    const int columnIndex = blockIdx.x * blockDim.x + threadIdx.x;

    if (rowIndex < N && columnIndex < N) {
        double result = 0.0;
        for (int i = 0; i < N; i++) {
            result += (double) A[rowIndex * N + i] * B[i * N + columnIndex];
        }
        C[rowIndex * N + columnIndex] = (float) result;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
