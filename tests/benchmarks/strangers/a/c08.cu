#include <lab.h>

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[2][T][T];
    __shared__ float b[2][T][T];

    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    float sum = 0.0f;

    for (int k0 = 0, p = 0; k0 < N; k0 += T, p ^= 1) {
        a[p][y][x] = row < N && k0 + x < N ? A[row * N + k0 + x] : 0.0f;
        b[p][y][x] = col < N && k0 + y < N ? B[(k0 + y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; ++k)
            sum += a[p][y][k] * b[p][k][x];
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
