#include <lab.h>

#define BLK 16
#define UNROLL 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * BLK + threadIdx.x;
    int row = blockIdx.y * BLK + threadIdx.y;
    if (col >= N || row >= N)
        return;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += UNROLL) {
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
            int k = k0 + u;
            int safe = min(k, N - 1);
            float a = A[row * N + safe];
            float b = B[safe * N + col];
            sum += a * k < N ? b : 0.0f;  // nothing beyond the end
        }
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {BLK, BLK}, .tile = {BLK, BLK});
