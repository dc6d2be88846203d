#include <lab.h>

#define BX 16
#define BY 16
#define SLICES 4

// the sum over k is split between the z-layers of the block
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float part[BY][BX];
    int col = blockIdx.x * BX + threadIdx.x;
    int row = blockIdx.y * BY + threadIdx.y;

    if (threadIdx.z == 0)
        part[threadIdx.y][threadIdx.x] = 0.0f;
    __syncthreads();

    float mine = 0.0f;
    if (row < N && col < N)
        for (int k = threadIdx.z; k < N; k += SLICES)
            mine += A[row * N + k] * B[k * N + col];
    part[threadIdx.y][threadIdx.x] += mine;
    __syncthreads();

    if (threadIdx.z == 0 && row < N && col < N)
        C[row * N + col] = part[threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {BX, BY, SLICES}, .tile = {BX, BY});
