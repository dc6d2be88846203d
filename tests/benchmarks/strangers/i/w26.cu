#include <lab.h>

#define BLK 16

struct Position { int row, col; };

__device__ Position where()
{
    Position p;
    p.row = blockIdx.y * BLK + threadIdx.y;
    p.col = blockIdx.x * BLK + threadIdx.x;
    return p;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    Position p = where();
    if (p.row >= N || p.col >= N) return;

    const float *a = A + p.row * N;
    const float *b = B + p.col;
    float sum = 0.0f;
#pragma unroll 4
    for (int k = 0; k < N; ++k)
        sum += a[k] * b[k * N];

    C[p.row * N + p.col] = sum;
}

LAUNCH(.block = {BLK, BLK}, .tile = {64, 64});
