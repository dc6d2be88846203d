#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;

    if (col >= N) return;
    if (row >= N) return;

    const float *Arow = A + row * N;
    float *Bcol = B + col;
    float *out = C + row * N + col;

    float s = 0;
    for (int k = 0; k != N; ++k)
        s += Arow[k] * Bcol[k * N];
    *out = s;
}

LAUNCH(.block = {64, 2}, .tile = {64, 2});
