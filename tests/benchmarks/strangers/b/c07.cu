#include <lab.h>

#define BX 16
#define BY 8
#define BZ 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * BX + threadIdx.x;
    int row = blockIdx.y * BY + threadIdx.y;
    bool in = col < N && row < N;

    if (in && threadIdx.z == BZ - 1)
        C[row * N + col] = 0.f;
    __syncthreads();
    if (!in) return;

    float part = 0.f;
    for (int k = threadIdx.z; k < N; k += BZ)
        part += A[row * N + k] * B[k * N + col];
    atomicAdd(C + (row * N + col), part);
}

LAUNCH(.block = {BX, BY, BZ}, .tile = {BX, BY});
