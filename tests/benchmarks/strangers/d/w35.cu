#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= N || row >= N)
        return;

    float *pa = A + row * N;
    const float *pb = B + col;
    float *pc = C + row * N + col;

    float s = 0.0f;
    for (int k = 0; k < N; k++, pb += N)
        s += *pa++ * *pb;
    *pc = s;
}

LAUNCH(.block = {32, 16}, .tile = {32, 16});
