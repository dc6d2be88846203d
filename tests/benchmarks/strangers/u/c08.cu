#include <lab.h>

#define PARTS 4
#define E 16

// split-K inside the block
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float cell[E][E];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * E + x;
    int row = blockIdx.y * E + y;
    bool valid = (row < N) & (col < N);

    if (threadIdx.z == 0)
        cell[y][x] = 0.0f;
    __syncthreads();

    if (valid)
    {
        long long n = N;
        int from = (int)(n * threadIdx.z / PARTS);
        int to = (int)(n * (threadIdx.z + 1) / PARTS);
        float s = 0.0f;
        for (int k = from; k < to; k++)
            s += A[row * N + k] * B[k * N + col];
        atomicAdd(&cell[y][x], s);
    }
    __syncthreads();

    if (valid && threadIdx.z == 0)
        C[row * N + col] = cell[y][x];
}

LAUNCH(.block = {E, E, PARTS}, .tile = {E, E});
