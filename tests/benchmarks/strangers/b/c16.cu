#include <lab.h>

#define T 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[T][T + 1];
    __shared__ float sb[T][T + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    const bool active = row < N && col < N;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += T) {
        const int depth = min(T, N - k0);
        if (row < N && tx < depth) sa[ty][tx] = A[row * N + k0 + tx];
        if (col < N && ty < depth) sb[ty][tx] = B[(k0 + ty) * N + col];
        __syncthreads();
        if (active)
            for (int k = 0; k < depth; ++k)
                sum += sa[ty][k] * sb[k][tx];
        __syncthreads();
    }

    if (active)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
