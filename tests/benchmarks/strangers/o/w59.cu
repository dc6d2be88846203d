#include <lab.h>

#define PARTS 4
#define BS 16

// The z dimension of the block splits the inner sum in 4 parts.
extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N)
{
    __shared__ float partial[PARTS][BS][BS];

    int part = threadIdx.z;
    int row = blockIdx.y * BS + threadIdx.y;
    int col = blockIdx.x * BS + threadIdx.x;

    int from = part * (N / PARTS), to = from + N / PARTS;

    float mine = 0;
    if (row < N && col < N) {
        for (int k = from; k < to; k++)
            mine += A[row * N + k] * B[k * N + col];
    }
    partial[part][threadIdx.y][threadIdx.x] = mine;

    __syncthreads();

    if (part == 0 && row < N && col < N) {
        float total = 0;
        for (int p = 0; p < PARTS; p++)
            total += partial[p][threadIdx.y][threadIdx.x];
        C[row * N + col] = total;
    }
}

LAUNCH(.block = {BS, BS, PARTS}, .tile = {BS, BS});
