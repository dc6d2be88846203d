#include <lab.h>

#define BLK 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BLK][BLK];
    __shared__ float Bs[BLK][BLK];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * BLK + ty;
    int col = blockIdx.x * BLK + tx;
    float sum = 0.0f;

    for (int m = 0; m < (N + BLK - 1) / BLK; ++m) {
        if (row < N && m * BLK + tx < N)
            As[ty][tx] = A[row * N + m * BLK + tx];
        if (col < N && m * BLK + ty < N)
            Bs[ty][tx] = B[(m * BLK + ty) * N + col];
        else
            Bs[ty][tx] = 0.0f;
        __syncthreads();
        for (int k = 0; k < BLK; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {BLK, BLK});
