#include <lab.h>

// Sum in 8 chunks, then add the chunk sums: smaller rounding error than one long sum (see lecture on pairwise summation)
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N || j >= N)
        return;

    const int step = N / 8;
    float total = 0.0f;
    for (int k0 = 0; k0 < N; k0 += step) {
        const int end = min(k0 + step, N);
        float chunk = 0.0f;
        for (int k = k0; k < end; ++k)
            chunk += A[i * N + k] * B[k * N + j];
        total += chunk;
    }
    C[i * N + j] = total;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
