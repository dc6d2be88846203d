// expect: wrong-answer; says: never written
// Renumbers the blocks in groups of four columns; where the grid is not a multiple of four, some tiles are never
// computed.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int number = blockIdx.y * gridDim.x + blockIdx.x;
    int group = number / (4 * gridDim.y), within = number % (4 * gridDim.y);
    int row = within / 4 * blockDim.y + threadIdx.y;
    int col = (group * 4 + within % 4) * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
