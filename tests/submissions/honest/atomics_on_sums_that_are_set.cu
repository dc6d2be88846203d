// expect: ok
// Parts of a sum meet in shared memory, which is set first: by an atomic addition, and by a loop of compare-and-swaps.
#include <lab.h>

#define T 8
#define PARTS 4

__device__ void add(unsigned *sum, float value)
{
    unsigned old = *sum, seen;
    do {
        seen = old;
        old = atomicCAS(sum, seen, __float_as_uint(__uint_as_float(seen) + value));
    } while (old != seen);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float even[T][T];
    __shared__ unsigned odd[T][T];
    int x = threadIdx.x, y = threadIdx.y, part = threadIdx.z;
    int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    if (part == 0) {
        even[y][x] = 0.0f;
        odd[y][x] = __float_as_uint(0.0f);
    }
    __syncthreads();
    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = part; k < N; k += PARTS)
            sum += A[row * N + k] * B[k * N + col];
        if (part % 2)
            add(&odd[y][x], sum);
        else
            atomicAdd(&even[y][x], sum);
    }
    __syncthreads();
    if (part == 0 && row < N && col < N)
        C[row * N + col] = even[y][x] + __uint_as_float(odd[y][x]);
}

LAUNCH(.block = {T, T, PARTS}, .tile = {T, T});
