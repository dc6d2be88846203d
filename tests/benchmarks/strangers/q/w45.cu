#include <lab.h>

static inline float at(const float *m, int ld, int r, int c) { return m[r * ld + c]; }

struct Position {
    int row;
    int column;
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    Position p;
    p.row = blockIdx.y * blockDim.y + threadIdx.y;
    p.column = blockIdx.x * blockDim.x + threadIdx.x;
    if (p.row >= N || p.column >= N)
        return;

    float result = 0.0f;
    for (int k = 0; k < N; ++k)
        result += at(A, N, p.row, k) * at(B, N, k, p.column);
    C[p.row * N + p.column] = result;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
