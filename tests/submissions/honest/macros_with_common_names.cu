// expect: ok
// Short macros with names that other headers use as well, all defined before lab.h is included.
#define T 16
#define P 1
#define I int
#define N2 (N * N)
#define real float
#define kernel matmul
#define value sum
#define count steps
#define kind element
#define width 16
#define size(n) (((n) + T - 1) / T)
#define x0 (blockIdx.x * T)
#define y0 (blockIdx.y * T)
#include <lab.h>

extern "C" __global__ void kernel(const real *A, const real *B, real *C, I N)
{
    __shared__ real a[T][T + P], b[width][width + P];
    I row = y0 + threadIdx.y, col = x0 + threadIdx.x, count = size(N);
    real value = 0;
    for (I t = 0; t < count; ++t) {
        I i = row * N + t * T + threadIdx.x, j = (t * T + threadIdx.y) * N + col;
        a[threadIdx.y][threadIdx.x] = row < N && t * T + threadIdx.x < N && i < N2 ? A[i] : 0;
        b[threadIdx.y][threadIdx.x] = col < N && t * T + threadIdx.y < N && j < N2 ? B[j] : 0;
        __syncthreads();
        for (I k = 0; k < T; ++k)
            value += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = value;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
