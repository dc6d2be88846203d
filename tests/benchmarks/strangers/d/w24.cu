#include <lab.h>

#define TB 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float curA[TB][TB];
    __shared__ float curB[TB][TB];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TB + ty;
    const int col = blockIdx.x * TB + tx;

    float nextA = row < N && tx < N ? A[row * N + tx] : 0.0f;
    float nextB = col < N && ty < N ? B[ty * N + col] : 0.0f;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TB) {
        curA[ty][tx] = nextA;
        curB[ty][tx] = nextB;
        __syncthreads();

        nextA = row < N && k0 + TB + tx < N ? A[row * N + k0 + TB + tx] : 0.0f;
        nextB = col < N ? B[(k0 + TB + ty) * N + col] : 0.0f;

#pragma unroll
        for (int k = 0; k < TB; ++k)
            sum += curA[ty][k] * curB[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TB, TB}, .tile = {TB, TB});
