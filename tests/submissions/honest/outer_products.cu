// expect: ok
// A block adds one outer product per step: a piece of a column of A times a piece of a row of B.
#include <lab.h>

#define TILE 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float column[TILE], line[TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k) {
        if (tx == 0)
            column[ty] = row < N ? A[row * N + k] : 0.0f;
        if (ty == 0)
            line[tx] = col < N ? B[k * N + col] : 0.0f;
        __syncthreads();
        sum += column[ty] * line[tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
