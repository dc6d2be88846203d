#include "lab.h"

extern "C" __global__ void matmul(const float* lhs, const float* rhs, float* out, int n)
{
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;

    // only threads inside the matrix have work to do
    if (y < n || x < n)
    {
        float t = 0;
        int p = 0;
        while (p < n)
        {
            t = t + lhs[y * n + p] * rhs[p * n + x];
            p++;
        }
        out[y * n + x] = t;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
