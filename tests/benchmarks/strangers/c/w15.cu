#include <lab.h>

#define SHIFT 5
#define SIDE (1 << SHIFT)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    unsigned n = N;
    unsigned col = threadIdx.x + (blockIdx.x << SHIFT);
    unsigned row = blockIdx.y << SHIFT + threadIdx.y;

    if (row < n && col < n) {
        float sum = 0.0f;
        for (unsigned k = 0; k < n; k++)
            sum += A[row * n + k] * B[k * n + col];
        C[row * n + col] = sum;
    }
}

LAUNCH(.block = {SIDE, SIDE}, .tile = {SIDE, SIDE});
