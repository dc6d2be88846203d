#include <lab.h>

static const int TILE = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[TILE][TILE];
    __shared__ float sb[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float acc = 0.0f;

    for (int tile = 0; tile * TILE < N; tile++) {
        int k = tile * TILE;
        if (row < N && k + tx < N)
            sa[ty][tx] = A[row * N + (k + tx)];
        if (col < N && k + ty < N)
            sb[ty][tx] = B[(k + ty) * N + col];
        __syncthreads();

        for (int i = 0; i < TILE; i++) {
            acc += sa[ty][i] * sb[i][tx];
        }
        __syncthreads();
    }

    if (row < N && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
