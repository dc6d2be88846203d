#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * 16 + threadIdx.x;
    const int row = blockIdx.y * 16 + threadIdx.y;
    float acc = 0.0f;
    if (row < N && col < N) {
        for (int i = 0; i < N; ++i)
            acc = __fmaf_rn(A[row * N + i], B[i * N + col], acc);
        C[row * N + col] = acc;
    }
}

LAUNCH(.block = (16, 16), .tile = (16, 16));
