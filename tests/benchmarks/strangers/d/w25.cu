#include <lab.h>

#define THREADS 128

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int block = blockIdx.y * gridDim.x + blockIdx.x;
    const int first = block * THREADS + threadIdx.x;
    const int stride = gridDim.x * gridDim.y * THREADS;

    for (int i = first; i <= N * N; i += stride) {
        const int r = i / N;
        const int c = i - r * N;
        float dot = 0.0f;
        for (int k = 0; k < N; ++k)
            dot += A[r * N + k] * B[k * N + c];
        C[i] = dot;
    }
}

LAUNCH(.block = {THREADS}, .tile = {32, 16});
