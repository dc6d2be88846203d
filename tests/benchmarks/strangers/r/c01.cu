#include <lab.h>

/* One thread per element. The index is long long to be on the safe side. */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    long long col = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long row = (long long)blockIdx.y * blockDim.y + threadIdx.y;

    if (col >= N) return;
    if (row >= N) return;

    float sum = 0.0f;
    for (long long k = 0; k < N; k++)
    {
        sum = sum + A[row * N + k] * B[k * N + col];
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {32, 16}, .tile = {32, 16});
