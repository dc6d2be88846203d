#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= N || j >= N)
        return;

    const float *a = A + i * N;
    const float *b = B + j;
    int sum = 0;
    for (int k = 0; k < N; ++k) {
        sum += *a * *b;
        a++;
        b += N;
    }
    C[i * N + j] = sum;
}

LAUNCH(.block = {32, 8});
