#include <lab.h>

#define T 16

// xor swizzle, double precision accumulator, and whole blocks may leave early when their
// part of A does not exist (cannot happen with the usual grid)
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[T * T], sb[T * T];
    if (blockIdx.y * T >= N) return;

    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    double sum = 0.0;
    unsigned t = (N + T - 1) / T;

    while (t-- > 0) {
        unsigned ka = t * T + x, kb = t * T + y;
        sa[y * T + (x ^ y)] = row < N && ka < N ? A[row * N + ka] : 0.0f;
        sb[x * T + (y ^ x)] = col < N && kb < N ? B[kb * N + col] : 0.0f;   // transposed
        __syncthreads();
        for (unsigned k = 0; k < T; k++)
            sum += (double)sa[y * T + (k ^ y)] * sb[x * T + (k ^ x)];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = (float)sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
