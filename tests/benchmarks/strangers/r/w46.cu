#include <lab.h>

/* BLAS-like dot product with increments */
static float inner_product(const float *x, int incx, const float *y, int incy, int n)
{
    float d = 0.0f;
    int i;
    for (i = 0; i < n; i++)
        d += x[i * incx] * y[i * incy];
    return d;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i = blockIdx.y * 8 + threadIdx.y;
    int j = blockIdx.x * 32 + threadIdx.x;

    if (i < N && j < N)
        C[i * N + j] = inner_product(A + i * N, 1, B + j, N, N);
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
