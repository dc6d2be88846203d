#include <lab.h>

#define TB 16

// registers as second buffer
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TB][TB];
    __shared__ float Bs[TB][TB];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TB + ty, col = blockIdx.x * TB + tx;

    float ra = (row < N && tx < N) ? A[row * N + tx] : 0.0f;
    float rb = (ty < N && col < N) ? B[ty * N + col] : 0.0f;
    float acc = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TB) {
        As[ty][tx] = k0 + tx < N ? ra : 0.0f;
        Bs[ty][tx] = k0 + ty < N ? rb : 0.0f;
        __syncthreads();

        const int kn = k0 + TB;
        if (row < N)
            ra = A[row * N + kn + tx];
        if (col < N)
            rb = B[(kn + ty) * N + col];

#pragma unroll
        for (int k = 0; k < TB; ++k)
            acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TB, TB}, .tile = {TB, TB});
