#include <lab.h>

#define TILE 16

__device__ float tileDot(float (*As)[TILE], float (*Bs)[TILE], int ty, int tx)
{
    float s = 0.0f;
    for (int k = 0; k < TILE; k++)
        s += As[ty][k] * Bs[k][tx];
    return s;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int ty = threadIdx.y, tx = threadIdx.x;
    int row = blockIdx.y * blockDim.y + ty;
    int col = blockIdx.x * blockDim.x + tx;

    float acc = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TILE) {
        As[ty][tx] = 0.0f;
        Bs[ty][tx] = 0.0f;
        if (row < N && k0 + tx < N) As[ty][tx] = A[row * N + (k0 + tx)];
        if (col < N && k0 + ty < N) Bs[ty][tx] = B[(k0 + ty) * N + col];
        __syncthreads();
        float acc = tileDot(As, Bs, ty, tx);
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
