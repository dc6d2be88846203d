#include <lab.h>

#define EDGE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // linear thread number 0..255 -> position in the tile
    const int tid = threadIdx.x;
    const int r = tid / EDGE;
    const int c = tid % EDGE;

    const int row = blockIdx.y * EDGE + r;
    const int col = blockIdx.x * EDGE + c;

    if (row < N && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < N; ++k)
            acc += A[row * N + k] * B[k * N + col];
        C[row * N + col] = acc;
    }
}

LAUNCH(.block = {EDGE, EDGE}, .tile = {EDGE, EDGE});
