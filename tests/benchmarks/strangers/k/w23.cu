#include <lab.h>

// two neighbouring columns per thread
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int c = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= N || c >= N)
        return;

    float first = 0.0f, second = 0.0f;
    for (int k = 0; k < N; k++) {
        const float a = A[r * N + k];
        const float *b = &B[k * N + c];
        first += a * b[0];
        if (c + 1 < N)
            second += a * b[1];
    }

    float *dst = &C[r * N + c];
    dst[0] = first;
    dst[1] = second;
}

LAUNCH(.block = {16, 16}, .tile = {32, 16});
