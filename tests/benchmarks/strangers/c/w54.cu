#include <lab.h>

#define BLOCK 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * BLOCK + threadIdx.y;
    int col = blockIdx.x * 4 * BLOCK + threadIdx.x;
    if (row >= N)
        return;

    float acc[4] = {};
    for (int k = 0; k < N; ++k) {
        float a = A[row * N + k];
#pragma unroll
        for (int j = 0; j < 4; ++j)
            if (col + j * BLOCK < N)
                acc[j] += a * B[k * N + col + j * BLOCK];
    }
    for (int j = 0; j < 4; ++j)
        if (col + j * BLOCK < N)
            C[row * N + col + j * BLOCK] = acc[j];
}

LAUNCH(.block = {BLOCK, BLOCK}, .tile = {BLOCK, 4 * BLOCK});
