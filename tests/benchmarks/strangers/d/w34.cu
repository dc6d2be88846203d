#include <lab.h>

#define TILE 16

struct Position {
    int row;
    int col;
}

__device__ Position locate()
{
    Position p;
    p.row = blockIdx.y * TILE + threadIdx.y;
    p.col = blockIdx.x * TILE + threadIdx.x;
    return p;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    Position p = locate();
    if (p.row < N && p.col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += A[p.row * N + k] * B[k * N + p.col];
        C[p.row * N + p.col] = sum;
    }
}

LAUNCH(.block = {TILE, TILE});
