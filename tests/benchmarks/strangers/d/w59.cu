#include <lab.h>

#ifndef T
#define T 8
#endif

__device__ float tileDot(const float (*a)[T], const float (*b)[T], int y, int x)
{
    float d = 0;
    for (int k = 0; k < T; k++)
        d += a[y][k] * b[k][x];
    return d;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[T][T], b[T][T];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * T + x, row = blockIdx.y * T + y;
    float sum = 0;

    for (int start = 0; start < N; start += T) {
        a[y][x] = 0;
        b[y][x] = 0;
        if (row < N && start + x < N)
            a[y][x] = A[row * N + start + x];
        if (col < N && start + y < N)
            b[y][x] = B[(start + y) * N + col];
        __syncthreads();
        float dot = tileDot(a, b, y, x);
        sum = dot;
        __syncthreads();
    }

    if (col < N && row < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T});
