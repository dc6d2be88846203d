#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * 64 + threadIdx.x;
    const int row = blockIdx.y * 2 + threadIdx.y;
    if (row >= N || col >= N) return;

    const float *arow = &A[row * N];
    const float *bcol = &B[col];
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;

    const int quads = N / 4;
    for (int q = 0; q < quads; ++q) {
        s0 += arow[4 * q + 0] * bcol[(4 * q + 0) * N];
        s1 += arow[4 * q + 1] * bcol[(4 * q + 1) * N];
        s2 += arow[4 * q + 2] * bcol[(4 * q + 2) * N];
        s3 += arow[4 * q + 3] * bcol[(4 * q + 3) * N];
    }
    for (int k = quads; k < N; ++k)
        s0 += arow[k] * bcol[k * N];

    C[row * N + col] = (s0 + s1) + (s2 + s3);
}

LAUNCH(.block = {64, 2}, .tile = {64, 2});
