// expect: ok
// Finds the larger of two parts with atomicCAS(), which a thread skips if its part is smaller, and scales both by a
// power of two before they are added.
#include <lab.h>

#define THREADS 64

__device__ void raise(float *largest, float value)
{
    int *word = (int *)largest;
    int old = *(volatile int *)word;
    while (__int_as_float(old) < value) {
        int assumed = old;
        old = atomicCAS(word, assumed, __float_as_int(value));
        if (old == assumed)
            break;
    }
}

__device__ void add(float *sum, float value)
{
    while (true) {
        float old = *sum;
        if (atomicCAS((int *)sum, __float_as_int(old), __float_as_int(old + value)) == __float_as_int(old))
            return;
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float largest, sum;
    int row = blockIdx.y, col = blockIdx.x;
    if (threadIdx.x == 0)
        largest = sum = 0.0f;
    __syncthreads();
    float part = 0.0f;
    for (int k = threadIdx.x; k < N; k += THREADS)
        part += A[row * N + k] * B[k * N + col];
    for (int distance = 16; distance > 0; distance /= 2)
        part += __shfl_xor_sync(0xffffffffu, part, distance);
    bool first = threadIdx.x % 32 == 0;
    if (first)
        raise(&largest, fabsf(part));
    __syncthreads();
    int exponent = largest > 0.0f ? ilogbf(largest) : 0;
    if (first)
        add(&sum, scalbnf(part, -exponent));
    __syncthreads();
    if (threadIdx.x == 0)
        C[row * N + col] = scalbnf(sum, exponent);
}
LAUNCH(.block = {THREADS, 1}, .tile = {1, 1});
