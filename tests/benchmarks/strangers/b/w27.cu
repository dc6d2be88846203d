#include <lab.h>

#define BLOCK 16

// rounds up
int divUp(int a, int b)
{
    return (a + b - 1) / b;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[BLOCK][BLOCK];
    __shared__ float sb[BLOCK][BLOCK];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * BLOCK + ty;
    int col = blockIdx.x * BLOCK + tx;
    float s = 0;

    for (int t = 0, n = divUp(N, BLOCK); t < n; ++t) {
        int ka = t * BLOCK + tx, kb = t * BLOCK + ty;
        sa[ty][tx] = row < N && ka < N ? A[row * N + ka] : 0;
        sb[ty][tx] = kb < N && col < N ? B[kb * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < BLOCK; ++k)
            s += sa[ty][k] * sb[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = s;
}

LAUNCH(.block = {BLOCK, BLOCK}, .tile = {BLOCK, BLOCK});
