// Bounds checks in the inner loop: each multiply-add asks whether the element is inside C.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
    if (row >= N || col >= N)
        return;
#endif
    const float *a = A + row * N, *b = B + col, *const end = a + N;
    float sum = 0;
    for (; a < end; ++a, b += N) {
#ifndef FIXED
        if (row < N && col < N)
#endif
            sum += *a * *b;
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
