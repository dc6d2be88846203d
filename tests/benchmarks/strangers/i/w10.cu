#include <lab.h>
#define BLK 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float Ablk[BLK][BLK];
    __shared__ float Bblk[BLK][BLK];

    int row = blockIdx.y * BLK + threadIdx.y;
    int col = blockIdx.x * BLK + threadIdx.x;
    float sum = 0.0f;

    for (int t = 0; t < (N + BLK - 1) / BLK; t++) {
        int ac = t * BLK + threadIdx.x;
        int br = t * BLK + threadIdx.y;

        Ablk[threadIdx.y][threadIdx.x] = (row < N && ac < N) ? A[row * N + ac] : 0.0f;
        Bblk[threadIdx.y][threadIdx.x] = (col < N && br < N) ? B[br * N + col] : 0.0f;
        __syncthreads();   // the tiles are complete now

        for (int k = 0; k < BLK; k++)
            sum += Ablk[threadIdx.y][k] * Bblk[k][threadIdx.x];
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {BLK, BLK}, .tile = {BLK, BLK});
