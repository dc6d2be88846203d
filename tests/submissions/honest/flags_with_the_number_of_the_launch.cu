// expect: ok
// Flags hold the number of the launch that has raised them; the last block counts the launches, so nobody lowers a flag.
#include <lab.h>

#define T 16
#define LARGEST 512

__device__ float strips[LARGEST * LARGEST];
__device__ volatile int raised[LARGEST / T + 1];
__device__ volatile int launches;
__device__ unsigned ended;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x, own = launches + 1;
    bool leads = threadIdx.x == 0 && threadIdx.y == 0;
    if (blockIdx.x == 0) {
        for (int k = threadIdx.x; k < N && row < N; k += T)
            strips[row * N + k] = A[row * N + k];
        __threadfence();
        __syncthreads();
        if (leads)
            raised[blockIdx.y] = own;
    }
    if (leads) {
        while (raised[blockIdx.y] != own)
            __nanosleep(20);
        __threadfence();
    }
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; row < N && col < N && k < N; ++k)
        sum += __ldcg(&strips[row * N + k]) * B[k * N + col];
    if (row < N && col < N)
        C[row * N + col] = sum;
    __threadfence();
    __syncthreads();
    unsigned blocks = gridDim.x * gridDim.y;
    if (leads && atomicInc(&ended, blocks - 1) == blocks - 1) {
        __threadfence();
        launches = own;
    }
}

LAUNCH(.block = {T, T}, .tile = {T, T});
