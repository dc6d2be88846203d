// expect: unset-memory; lines: 13; says: Shared memory is not zero
// Adds with compare-and-swap in shared memory, and nobody sets the sums to zero before: shared memory is not zero.
#include <lab.h>

#define T 8
#define PARTS 4

__device__ void add(int *sum, float value)
{
    int old = 0, seen;
    do {
        seen = old;
        old = atomicCAS(sum, seen, __float_as_int(__int_as_float(seen) + value));
    } while (old != seen);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ int sums[T][T];
    int x = threadIdx.x, y = threadIdx.y, part = threadIdx.z;
    int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = part; k < N; k += PARTS)
            sum += A[row * N + k] * B[k * N + col];
        add(&sums[y][x], sum);
    }
    __syncthreads();
    if (part == 0 && row < N && col < N)
        C[row * N + col] = __int_as_float(sums[y][x]);
}

LAUNCH(.block = {T, T, PARTS}, .tile = {T, T});
