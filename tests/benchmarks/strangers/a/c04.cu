#include <lab.h>

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ double a[T][T];
    __shared__ double b[T][T];

    int row = blockIdx.y * T + threadIdx.y;
    int col = blockIdx.x * T + threadIdx.x;
    double sum = 0.0;

    for (int k0 = 0; k0 < N; k0 += T) {
        int ka = k0 + threadIdx.x, kb = k0 + threadIdx.y;
        a[threadIdx.y][threadIdx.x] = row < N && ka < N ? A[row * N + ka] : 0.0;
        b[threadIdx.y][threadIdx.x] = kb < N && col < N ? B[kb * N + col] : 0.0;
        __syncthreads();
        for (int k = 0; k < T; ++k)
            sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = (float)sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
