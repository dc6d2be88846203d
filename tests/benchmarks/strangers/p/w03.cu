#include <lab.h>

// Double buffering: load the next tile while computing the current one. One barrier per tile is enough.
#define T 16

__device__ inline float at(const float *M, int r, int c, int N)
{
    return r < N && c < N ? M[r * N + c] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[2][T][T];
    __shared__ float b[2][T][T];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * T + ty;
    const int col = blockIdx.x * T + tx;

    float sum = 0.0f;
    int now = 0;

    a[0][ty][tx] = at(A, row, tx, N);
    b[0][ty][tx] = at(B, ty, col, N);

    for (int k0 = 0; k0 < N; k0 += T) {
        const int next = 1 - now;
        a[next][ty][tx] = at(A, row, k0 + T + tx, N);
        b[next][ty][tx] = at(B, k0 + T + ty, col, N);
        __syncthreads();

        for (int k = 0; k < T; ++k)
            sum += a[now][ty][k] * b[now][k][tx];
        now = next;
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
