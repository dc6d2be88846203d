// split over K inside the block: the z index picks every fourth k
#include <lab.h>

enum { BX = 32, BY = 16, BZ = 4 };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sums[BY][BX];
    const int row = blockIdx.y * BY + threadIdx.y;
    const int col = blockIdx.x * BX + threadIdx.x;

    if (threadIdx.z == 0)
        sums[threadIdx.y][threadIdx.x] = 0.0f;
    __syncthreads();

    if (row < N && col < N) {
        float s = 0.0f;
        for (int k = threadIdx.z; k < N; k += BZ)
            s += A[row * N + k] * B[k * N + col];
        atomicAdd(&sums[threadIdx.y][threadIdx.x], s);
    }
    __syncthreads();

    if (threadIdx.z == 0 && row < N && col < N)
        C[row * N + col] = sums[threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {BX, BY, BZ}, .tile = {BX, BY});
