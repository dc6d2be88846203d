// expect: data-race; lines: 15, 19, 20, 29; says: line 20 finds in arrived what line 19 wrote in the first
// All blocks count themselves and wait for each other, but nobody resets the count: later launches pass at once.
#include <lab.h>

#define T 16
#define LARGEST 512

__device__ float turned[LARGEST * LARGEST];
__device__ unsigned arrived;

extern "C" __global__ void __launch_bounds__(T * T, 8) matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    if (row < N && col < N)
        turned[col * N + row] = B[row * N + col];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        atomicAdd(&arrived, 1);
        while (atomicAdd(&arrived, 0) < gridDim.x * gridDim.y)
            __nanosleep(20);
        __threadfence();
    }
    __syncthreads();
    if (row >= N || col >= N)
        return;
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * __ldcg(&turned[col * N + k]);
    C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
