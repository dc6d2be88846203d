#include <lab.h>

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[T][T];
    __shared__ float b[T][T];

    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * T + tx;
    int y = blockIdx.y * T + ty;

    // padding with zeros for the edges
    a[ty][tx] = b[ty][tx] = 0.0f;

    float res = 0.0f;
    for (int m = 0; m < (N + T - 1) / T; ++m) {
        if (y < N && m * T + tx < N)
            a[ty][tx] = A[y * N + m * T + tx];
        if (x < N && m * T + ty < N)
            b[ty][tx] = B[(m * T + ty) * N + x];
        __syncthreads();
        for (int k = 0; k < T; ++k)
            res += a[ty][k] * b[k][tx];
        __syncthreads();
    }
    if (x < N && y < N)
        C[y * N + x] = res;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
