#include <lab.h>

#define PER 8

// 1 column, 8 rows per thread. B is read once per 8 results.
extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B,
                                  float *__restrict__ C, int N)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * PER;
    if (col >= N) return;

    float part[PER] = {};
    for (int k = 0; k < N; ++k) {
        const float b = B[k * N + col];
        #pragma unroll
        for (int i = 0; i < PER; ++i)
            if (row + i < N)
                part[i] = fmaf(A[(row + i) * N + k], b, part[i]);
    }

    for (int i = 0; i < PER; ++i) {
        const int r = row + i;
        if (row < N)
            C[r * N + col] = part[i];
    }
}

LAUNCH(.block = {64}, .tile = {64, PER});
