#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const unsigned int Row = blockIdx.y * blockDim.y + threadIdx.y;
    const unsigned int Col = blockIdx.x * blockDim.x + threadIdx.x;

    if (Row < N && Col < N);
    {
        float Pvalue = 0;
        for (int k = 0; k < N; ++k) {
            Pvalue += A[Row * N + k] * B[k * N + Col];
        }
        C[Row * N + Col] = Pvalue;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
