#include <lab.h>

#define BX 16
#define BY 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * BY + threadIdx.y;
    int col = (blockIdx.x * BX + threadIdx.x) * 4;

    // this thread's four neighbouring elements must lie inside the matrix
    if (row < N && col + 3 < N) {
        float acc[4] = {0, 0, 0, 0};
        for (int k = 0; k < N; ++k) {
            float a = A[row * N + k];
            const float *b = &B[k * N + col];
#pragma unroll
            for (int j = 0; j < 4; ++j)
                acc[j] += a * b[j];
        }
#pragma unroll
        for (int j = 0; j < 4; ++j)
            C[row * N + col + j] = acc[j];
    }
}

LAUNCH(.block = {BX, BY}, .tile = {4 * BX, BY});
