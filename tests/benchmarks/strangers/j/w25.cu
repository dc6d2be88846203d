#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int tile = blockDim.x;
    __shared__ float sA[tile][tile];
    __shared__ float sB[tile][tile];

    int row = blockIdx.y * tile + threadIdx.y;
    int col = blockIdx.x * tile + threadIdx.x;
    float value = 0.0f;

    for (int i = 0; i < (N + tile - 1) / tile; i++) {
        int aCol = i * tile + threadIdx.x;
        int bRow = i * tile + threadIdx.y;
        sA[threadIdx.y][threadIdx.x] = (row < N && aCol < N) ? A[row * N + aCol] : 0.0f;
        sB[threadIdx.y][threadIdx.x] = (bRow < N && col < N) ? B[bRow * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < tile; k++)
            value += sA[threadIdx.y][k] * sB[k][threadIdx.x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = value;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
