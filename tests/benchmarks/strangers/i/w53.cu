#include <lab.h>
#define TILE 16

/* Both tiles are kept in shared memory. A is kept transposed, then the
   inner loop reads both tiles with k as the first index. */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE + 1];
    __shared__ float Bs[TILE][TILE + 1];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float acc = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        float a = 0.0f, b = 0.0f;
        if (row < N && k0 + tx < N) a = A[row * N + k0 + tx];
        if (col < N && k0 + ty < N) b = B[(k0 + ty) * N + col];
        As[tx][ty] = a;
        Bs[tx][ty] = b;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            acc += As[k][ty] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
