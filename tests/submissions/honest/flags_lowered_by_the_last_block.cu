// expect: ok
// The first block of each row of tiles raises a flag for the others of the row; the last one that ends lowers it.
#include <lab.h>

#define T 16
#define LARGEST 512

__device__ float strips[LARGEST * LARGEST];
__device__ volatile int ready[LARGEST / T + 1];
__device__ unsigned ended[LARGEST / T + 1];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    bool leads = threadIdx.x == 0 && threadIdx.y == 0;
    if (blockIdx.x == 0) {
        for (int k = threadIdx.x; k < N && row < N; k += T)
            strips[row * N + k] = A[row * N + k];
        __threadfence();
        __syncthreads();
        if (leads)
            ready[blockIdx.y] = 1;
    }
    if (leads) {
        while (!ready[blockIdx.y])
            __nanosleep(20);
        __threadfence();
    }
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; row < N && col < N && k < N; ++k)
        sum += __ldcg(&strips[row * N + k]) * B[k * N + col];
    if (row < N && col < N)
        C[row * N + col] = sum;
    __syncthreads();
    if (leads) {
        __threadfence();
        if (atomicInc(&ended[blockIdx.y], gridDim.x - 1) == gridDim.x - 1)
            ready[blockIdx.y] = 0;
    }
}

LAUNCH(.block = {T, T}, .tile = {T, T});
