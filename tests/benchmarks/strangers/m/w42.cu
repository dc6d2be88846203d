#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const unsigned int col = blockIdx.x * 16 + threadIdx.x;
    const unsigned int row = blockIdx.y * 16 + threadIdx.y;

    if (row < N && col < N) {
        // running offsets instead of multiplications
        unsigned int offA = row * N;
        unsigned short offB = col;
        float dot = 0.0f;
        for (int i = 0; i < N; ++i, ++offA, offB += N)
            dot += A[offA] * B[offB];
        C[row * N + col] = dot;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
