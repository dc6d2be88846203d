#include <lab.h>

#define PARTS 4

// The sum over k is dealt out to four threads, which add their parts up with atomics in shared memory.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sum[8][32];
    const int col = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y * 8 + threadIdx.y;

    if (threadIdx.z == PARTS - 1)
        sum[threadIdx.y][threadIdx.x] = 0.0f;
    __syncthreads();

    if (row < N && col < N) {
        float part = 0.0f;
        for (int k = threadIdx.z; k < N; k += PARTS)
            part += A[row * N + k] * B[k * N + col];
        atomicAdd(&sum[threadIdx.y][threadIdx.x], part);
    }
    __syncthreads();

    if (threadIdx.z == 0 && row < N && col < N)
        C[row * N + col] = sum[threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {32, 8, PARTS}, .tile = {32, 8});
