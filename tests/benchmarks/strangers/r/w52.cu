#include <lab.h>

// blockIdx.x -> rows, blockIdx.y -> columns (neighbouring blocks share B)
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row0 = blockIdx.x * 16 + threadIdx.y;
    int col  = blockIdx.y * 64 + threadIdx.x;
    float s[4] = {};

    if (col >= N)
        return;
    for (int k = 0; k < N; ++k) {
        const float b = B[k * N + col];
        for (int i = 0; i < 4; ++i)
            if (row0 + 4 * i < N)
                s[i] += A[(row0 + 4 * i) * N + k] * b;
    }
    for (int i = 0; i < 4; ++i)
        if (row0 + 4 * i < N)
            C[(row0 + 4 * i) * N + col] = s[i];
}

LAUNCH(.block = {64, 4}, .tile = {64, 16});
