#include <lab.h>

#define TILE 32
#define PAD 1

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE + PAD];
    __shared__ float Bs[TILE][TILE + PAD];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0;

    for (int t = 0; t < N; t += TILE) {
        int count = TILE < N - t ? TILE : N - t;
        As[ty][tx] = Bs[ty][tx] = 0;
        if (row < N && tx < count) As[ty][tx] = A[row * N + t + tx];
        if (col < N && ty < count) Bs[ty][tx] = B[(t + ty) * N + col];

        if (row < N && col < N) {
            __syncthreads();
            for (int k = 0; k < count; k++)
                sum += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }

    if (row < N && col < N) C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE});
