#include "lab.h"

extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n)
{
    auto row = [] { return int(blockIdx.y * blockDim.y + threadIdx.y); }();
    auto col = [] { return int(blockIdx.x * blockDim.x + threadIdx.x); }();

    if (row < n || col < n) {
        float acc = 0;
        for (int i = 0; i != n; ++i)
            acc += a[row * n + i] * b[i * n + col];
        c[row * n + col] = acc;
    }
}

LAUNCH(.block = {32, 4}, .tile = {32, 4});
