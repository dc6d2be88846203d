#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    int col = blockIdx.y * blockDim.x + threadIdx.x;

    if (!(row < N) || !(col < N)) return;

    // count down
    float sum = 0.0f;
    int k = N;
    while (k-- > 0)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8}, .grid_x = ROWS);
