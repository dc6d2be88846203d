#include <lab.h>

#define X 32
#define K_PARTS 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    unsigned col = blockIdx.x * X + threadIdx.x;
    unsigned row = blockIdx.y;
    unsigned part = threadIdx.y;
    unsigned n = N;

    if (part == 0 && col < n) C[row * n + col] = 0.0f;

    if (col < n) {
        float s = 0.0f;
        unsigned begin = n * part / K_PARTS;
        unsigned end = n * (part + 1) / K_PARTS;
        for (unsigned k = begin; k < end; ++k)
            s += A[row * n + k] * B[k * n + col];
        atomicAdd(C + row * n + col, s);
    }
}

LAUNCH(.block = {X, K_PARTS}, .tile = {X, 1});
