#include <lab.h>

#define T 16

// value of m at (r, c), or 0 outside
float element(const float *m, int n, int r, int c)
{
    if (r < n && c < n)
        return m[r * n + c];
    return 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[T][T];
    __shared__ float b[T][T];
    int i = threadIdx.y, j = threadIdx.x;
    int row = blockIdx.y * T + i, col = blockIdx.x * T + j;
    float s = 0.0f;

    for (int k0 = 0; k0 < N; k0 += T) {
        a[i][j] = element(A, N, row, k0 + j);
        b[i][j] = element(B, N, k0 + i, col);
        __syncthreads();
        for (int k = 0; k < T; k++)
            s += a[i][k] * b[k][j];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = s;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
