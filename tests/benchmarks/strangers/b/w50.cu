#include <lab.h>

// Every thread: 2 x 2 elements of C
#define T 16
#define BLK (2 * T)

__device__ __forceinline__ float at(const float *M, int y, int x, int N)
{
    if (y >= N || x >= N) return 0.0f;
    return M[y * N + x];
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[BLK][T];
    __shared__ float sb[T][BLK];

    int tx = threadIdx.x, ty = threadIdx.y;
    int y = blockIdx.y * BLK + ty;
    int x = blockIdx.x * BLK + tx;
    float c00 = 0, c01 = 0, c10 = 0, c11 = 0;

    for (int k0 = 0; k0 < N; k0 += T) {
        sa[ty][tx]     = at(A, y, k0 + tx, N);
        sa[ty + T][tx] = at(A, y + T, k0 + tx, N);
        sb[ty][tx]     = at(B, k0 + ty, x, N);
        sb[ty][tx + T] = at(B, k0 + ty, x + T, N);

        for (int k = 0; k < T; ++k) {
            float a0 = sa[ty][k], a1 = sa[ty + T][k];
            float b0 = sb[k][tx], b1 = sb[k][tx + T];
            c00 += a0 * b0;
            c01 += a0 * b1;
            c10 += a1 * b0;
            c11 += a1 * b1;
        }
        __syncthreads();
    }

    if (y < N && x < N)         C[y * N + x] = c00;
    if (y < N && x + T < N)     C[y * N + x + T] = c01;
    if (y + T < N && x < N)     C[(y + T) * N + x] = c10;
    if (y + T < N && x + T < N) C[(y + T) * N + x + T] = c11;
}

LAUNCH(.block = {T, T}, .tile = {BLK, BLK});
