#include <lab.h>

#define BR 4
#define BC 64

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.x * BR + threadIdx.y;
    const int col = blockIdx.y * BC + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = N - 1; k >= 0; --k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {BC, BR}, .tile = {BC, BR}, .grid_x = ROWS);
