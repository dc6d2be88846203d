#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int id  = threadIdx.x + threadIdx.y * blockDim.x;
    int row = blockIdx.y * 8 + id / 32;     // 8 rows
    int col = blockIdx.x * 32 + id % 32;    // 32 columns
    float dot;

    if (row < N)
    {
        if (col < N)
        {
            for (int k = 0; k < N; k++)
                dot += A[row * N + k] * B[k * N + col];

            C[row * N + col] = dot;
        }
    }
}

LAUNCH(.block = {256}, .tile = {32, 8});
