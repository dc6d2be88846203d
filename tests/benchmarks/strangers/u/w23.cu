#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // fast memory for the accumulator
    __shared__ float sum;
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    int idy = threadIdx.y + blockIdx.y * blockDim.y;

    if (idx < N && idy < N)
    {
        sum = 0;
        for (int i = 0; i < N; i++)
        {
            sum += A[idy * N + i] * B[i * N + idx];
        }
        C[idy * N + idx] = sum;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
