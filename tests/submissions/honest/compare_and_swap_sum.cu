// expect: ok; sizes: 36
// The threads of a warp add their products to one sum with atomicCAS(), which begins with a guess of the old value.
#include <lab.h>

__device__ void add(float *sum, float value)
{
    int *word = (int *)sum;
    int old = *word, assumed;
    do {
        assumed = old;
        old = atomicCAS(word, assumed, __float_as_int(value + __int_as_float(assumed)));
    } while (assumed != old);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sum;
    int row = blockIdx.y, col = blockIdx.x;
    if (threadIdx.x == 0)
        sum = 0.0f;
    __syncthreads();
    float part = 0.0f;
    for (int k = threadIdx.x; k < N; k += 32)
        part += A[row * N + k] * B[k * N + col];
    add(&sum, part);
    __syncthreads();
    if (threadIdx.x == 0)
        C[row * N + col] = sum;
}
LAUNCH(.block = {32, 1}, .tile = {1, 1});
