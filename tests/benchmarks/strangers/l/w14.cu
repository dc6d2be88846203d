#include <lab.h>
#define TB 16

__device__ float step(const float (&a)[TB][TB], const float (&b)[TB][TB])
{
    float s = 0.0f;
#pragma unroll
    for (int k = 0; k < TB; ++k)
        s += a[threadIdx.y][k] * b[k][threadIdx.x];
    return s;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float bufA[2][TB][TB];
    __shared__ float bufB[2][TB][TB];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TB + ty;
    const int col = blockIdx.x * TB + tx;
    const int steps = (N + TB - 1) / TB;

    bufA[0][ty][tx] = (row < N && tx < N) ? A[row * N + tx] : 0.0f;
    bufB[0][ty][tx] = (ty < N && col < N) ? B[ty * N + col] : 0.0f;
    __syncthreads();

    int now = 0;
    float sum = 0.0f;
    for (int s = 1; s < steps; ++s) {
        const int k0 = s * TB;
        bufA[now ^ 1][ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
        bufB[now ^ 1][ty][tx] = (k0 + ty < N && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
        sum += step(bufA[now], bufB[now]);
        __syncthreads();
        now ^= 1;
    }
    // what is left in the pipe
    sum += step(bufA[now ^ 1], bufB[now ^ 1]);

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TB, TB}, .tile = {TB, TB});
