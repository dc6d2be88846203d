#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lin = blockIdx.x * blockDim.y + threadIdx.y;
    const int col = blockIdx.y * blockDim.x + threadIdx.x;

    if (lin >= N || col >= N)
        return;

    float produto = 0.0f;
    const float *pa = A + lin * N;
    const float *pb = B + col;
    for (int k = 0; k < N; ++k, ++pa, pb += N)
        produto += *pa * *pb;

    C[lin * N + col] = produto;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
