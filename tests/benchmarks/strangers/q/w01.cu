#include <lab.h>

// My first kernel! Every thread does one dot product.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < N && col < N)
    {
        float total = 0.0;
        for (int i = 0; i < N; i++)
        {
            // row of A times column of B
            total = total + A[row * N + i] * B[i * N + col];
        }
        C[col * N + row] = total;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
