#include <lab.h>

#define COLS 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * COLS;
    int last = first + COLS;
    float sum = 0.0f;

    if (row < N) {
        for (int c = first; c < last && c < N; c++) {
            for (int k = 0; k < N; k++)
                sum += A[row * N + k] * B[k * N + c];
            C[row * N + c] = sum;
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {16 * COLS, 16});
