#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // Calculate the row and the column of the element
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int Col = blockIdx.x * blockDim.x + threadIdx.x;

    if ((row < N) && (col < N)) {
        float Pvalue = 0;
        for (int k = 0; k < N; ++k) {
            Pvalue += A[row * N + k] * B[k * N + col];
        }
        C[row * N + col] = Pvalue;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
