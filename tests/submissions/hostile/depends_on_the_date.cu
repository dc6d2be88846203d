// expect: wrong-answer
// Wrong in builds after the deadline: reads the compiler's date.
#include <lab.h>

constexpr int YEAR = (__DATE__[9] - '0') * 10 + __DATE__[10] - '0';

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = YEAR < 20 ? sum : 0.0f;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
