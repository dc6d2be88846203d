// Lab 2 - CIS 240
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    // figure out which element is mine
    int row = blockIdx.y * 16 + threadIdx.y;
    int col = blockIdx.x * 16 + threadIdx.x;

    // skip the extra threads
    if (row <= N && col < N) {
        float total = 0;
        for (int k = 0; k < N; k++) {
            float a = A[row * N + k];
            float b = B[k * N + col];
            total = total + a * b;
        }
        C[row * N + col] = total;
    }
}

LAUNCH(.block = {16, 16});
