#include <lab.h>

#define CPT 4   // columns per thread

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int c = (blockIdx.x * blockDim.x + threadIdx.x) * CPT;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= N || c >= N)
        return;

    float acc[CPT];
    for (int j = 0; j < CPT; j++)
        acc[j] = 0.0f;

    for (int k = 0; k < N; k++) {
        float a = A[r * N + k];
        for (int j = 0; j < CPT; j++)
            acc[j] += a * B[k * N + c + j];
    }

    for (int j = 0; j < CPT; j++)
        if (c + j < N)
            C[r * N + c + j] = acc[j];
}

LAUNCH(.block = {8, 16}, .tile = {8 * CPT, 16});
