#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= N || col >= N) return;

    const float *rowA = A + row * N;
    float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;   // 4 independent chains
    int k = 0;

    for (; k + 3 < N; k += 4)
    {
        s0 += rowA[k]     * B[(k)     * N + col];
        s1 += rowA[k + 1] * B[(k + 1) * N + col];
        s2 += rowA[k + 2] * B[(k + 2) * N + col];
        s3 += rowA[k + 3] * B[(k + 3) * N + col];
    }

    C[row * N + col] = (s0 + s1) + (s2 + s3);
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
