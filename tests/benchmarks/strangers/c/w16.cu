#include <lab.h>

constexpr unsigned T = 16;

// XOR swizzle instead of padding
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[T][T];
    __shared__ float Bs[T][T];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned row = blockIdx.y * T + ty, col = blockIdx.x * T + tx, n = N;
    float acc = 0.0f;

    for (unsigned k0 = 0; k0 < n; k0 += T) {
        As[ty][tx ^ ty] = (row < n && k0 + tx < n) ? A[row * n + k0 + tx] : 0.0f;
        Bs[ty][tx ^ ty] = (k0 + ty < n && col < n) ? B[(k0 + ty) * n + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (unsigned k = 0; k < T; ++k)
            acc += As[ty][k ^ ty] * Bs[k][tx ^ ty];
        __syncthreads();
    }
    if (row < n && col < n)
        C[row * n + col] = acc;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
