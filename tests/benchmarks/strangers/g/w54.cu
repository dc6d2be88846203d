#include <lab.h>

// my first kernel :-)
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = threadIdx.y + blockIdx.y * 16;
    int col = threadIdx.x + blockIdx.x * 16;
    if (row < N and col < N) {
        float sum = 0;
        for (int k = 0; k < N; k++) {
            sum += A[row, k] * B[k, col];
        }
        C[row * N + col] = sum;
    }
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
