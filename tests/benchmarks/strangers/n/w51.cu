#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float *a = A + row * N;
    const float *end = a + N;
    const float *b = B + col;
    float sum = 0.0f;
    while (a != end) {
        sum += *a * *b;
        a++;
        b += N;
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
