#include <lab.h>

#define SPLIT 4

// threadIdx.z selects a quarter of k; the quarters meet in shared memory
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sum[8][32];
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;

    if (threadIdx.z == SPLIT - 1)
        sum[threadIdx.y][threadIdx.x] = 0;
    __syncthreads();

    int quarter = (N + SPLIT - 1) / SPLIT;
    int from = threadIdx.z * quarter;
    int to = min(N, from + quarter);
    if (row < N && col < N) {
        float mine = 0;
        for (int k = from; k < to; k++)
            mine += A[row * N + k] * B[k * N + col];
        atomicAdd(&sum[threadIdx.y][threadIdx.x], mine);
    }
    __syncthreads();

    if (threadIdx.z == 1 && row < N && col < N)
        C[row * N + col] = sum[threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {32, 8, SPLIT}, .tile = {32, 8});
