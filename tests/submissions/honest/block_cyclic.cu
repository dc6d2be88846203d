// expect: ok
// The elements are dealt out cyclically: a thread computes every element whose row and column leave its remainder.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int rows = gridDim.y * blockDim.y, cols = gridDim.x * blockDim.x;
    int first_row = threadIdx.y * gridDim.y + blockIdx.y;
    int first_col = threadIdx.x * gridDim.x + blockIdx.x;
    for (int row = first_row; row < N; row += rows)
        for (int col = first_col; col < N; col += cols) {
            float sum = 0.0f;
            for (int k = 0; k < N; ++k)
                sum += A[row * N + k] * B[k * N + col];
            C[row * N + col] = sum;
        }
}

LAUNCH(.block = {16, 16}, .tile = {40, 24});
