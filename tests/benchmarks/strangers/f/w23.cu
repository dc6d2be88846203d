#include <lab.h>

// threadIdx.z splits k into 4 parts (like split-K but inside of one block)
#define KZ 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float partial[KZ][8][16];

    int col = blockIdx.x * 16 + threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;
    int z   = threadIdx.z;

    int len  = N / KZ;
    int from = z * len;
    int to   = from + len;

    float p = 0.0f;
    if (row < N && col < N)
        for (int k = from; k < to; k++)
            p += A[row * N + k] * B[k * N + col];
    partial[z][threadIdx.y][threadIdx.x] = p;
    __syncthreads();

    if (z == 0 && row < N && col < N) {
        float total = 0.0f;
        for (int i = 0; i < KZ; i++)
            total += partial[i][threadIdx.y][threadIdx.x];
        C[row * N + col] = total;
    }
}

LAUNCH(.block = {16, 8, KZ}, .tile = {16, 8});
