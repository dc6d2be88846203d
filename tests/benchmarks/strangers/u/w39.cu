#include <lab.h>

#define NB 16

// C = A B  --  bloques de NB x NB, igual que en la version de OpenMP
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[NB][NB];
    __shared__ float Bs[NB][NB];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * NB + ty;
    int col = blockIdx.x * NB + tx;
    float s = 0.0f;

    for (int k0 = 0; k0 < N; k0 += NB)
    {
        if (row < N && k0 + tx < N) As[ty][tx] = A[row * N + k0 + tx];
        if (k0 + ty < N && col < N) Bs[ty][tx] = B[(k0 + ty) * N + col];
        __syncthreads();
        for (int k = 0; k < NB; k++) s += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N) C[row * N + col] = s;
}

LAUNCH(.block = {NB, NB}, .tile = {NB, NB});
