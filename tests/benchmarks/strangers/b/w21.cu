#include <lab.h>

#define T 16

__device__ float fetch(const float *M, int r, int c, int n)
{
    return (r < n && c < n) ? M[r * n + c] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[T][T], Bs[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    const int nt = (N + T - 1) / T;

    // registers hold the next tile while we compute with the current one
    float nextA = fetch(A, row, tx, N);
    float nextB = fetch(B, ty, col, N);
    float c = 0.0f;

    for (int t = 0; t < nt; ++t) {
        As[ty][tx] = nextA;
        Bs[ty][tx] = nextB;
        __syncthreads();

        if (t + 1 < nt) {
            nextA = fetch(A, row, t * T + tx, N);
            nextB = fetch(B, (t + 1) * T + ty, col, N);
        }
        for (int k = 0; k < T; ++k)
            c += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < N && col < N) C[row * N + col] = c;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
