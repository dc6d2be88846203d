#include <lab.h>

#define TX 16
#define TY 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = threadIdx.x + TX * blockIdx.x;
    const int row = threadIdx.y + TY * blockIdx.y;
    float dot = 0.0f;

    if (!(col < N && row < N))
        return;
    for (unsigned char k = 0; k < N; ++k)
        dot += A[row * N + k] * B[k * N + col];
    C[row * N + col] = dot;
}

LAUNCH(.block = {TX, TY});
