#include <lab.h>

#define SIDE 16

// A, B and also C are kept in shared memory (much faster than global memory!)
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[SIDE * SIDE], b[SIDE * SIDE];
    __shared__ float sums[SIDE * SIDE];

    const int me   = threadIdx.y * SIDE + threadIdx.x;
    const int slot = threadIdx.x;
    const int row  = blockIdx.y * SIDE + threadIdx.y;
    const int col  = blockIdx.x * SIDE + threadIdx.x;

    sums[slot] = 0.0f;
    for (int k0 = 0; k0 < N; k0 += SIDE)
    {
        const int ka = k0 + threadIdx.x, kb = k0 + threadIdx.y;
        a[me] = row < N && ka < N ? A[row * N + ka] : 0.0f;
        b[me] = col < N && kb < N ? B[kb * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < SIDE; ++k)
            sums[slot] += a[threadIdx.y * SIDE + k] * b[k * SIDE + threadIdx.x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sums[slot];
}

LAUNCH(.block = {SIDE, SIDE}, .tile = {SIDE, SIDE});
