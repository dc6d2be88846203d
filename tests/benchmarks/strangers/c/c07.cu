// The barrier itself decides whether the block goes on.
#include <lab.h>

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[T][T], Bs[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    int ka = tx, kb = ty;
    float acc = 0.0f;

    while (__syncthreads_or(ka < N)) {
        As[ty][tx] = row < N && ka < N ? A[row * N + ka] : 0.0f;
        Bs[ty][tx] = col < N && kb < N ? B[kb * N + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < T; ++k)
            acc += As[ty][k] * Bs[k][tx];
        ka += T, kb += T;
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
