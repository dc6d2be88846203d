#include <lab.h>
#define T 16

extern "C" __global__ void __launch_bounds__(128) matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[T][T];
    __shared__ float sb[T][T];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int row = y + T * blockIdx.y;
    int col = x + T * blockIdx.x;
    float out = 0.0f;

    for (int step = 0; step < (N + T - 1) / T; ++step) {
        int k = step * T;
        sa[y][x] = 0.0f;
        if (row < N && k + x < N) sa[y][x] = A[row * N + k + x];
        sb[y][x] = 0.0f;
        if (k + y < N && col < N) sb[y][x] = B[(k + y) * N + col];
        __syncthreads();
        #pragma unroll
        for (int i = 0; i < T; ++i) out += sa[y][i] * sb[i][x];
        __syncthreads();
    }
    if (row < N && col < N) C[row * N + col] = out;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
