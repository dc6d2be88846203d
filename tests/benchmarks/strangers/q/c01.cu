#include <lab.h>

/*
 * CUDA bootcamp, week 3, exercise 1
 * one thread = one output
 */
__device__ float dot_row_col(const float *m1, const float *m2, int r, int c, int n)
{
    float acc = 0.0f;
    const float *p = m1 + r * n;
    const float *q = m2 + c;
    int left = n;
    while (left-- > 0) {
        acc += *p++ * *q;
        q += n;
    }
    return acc;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= N) return;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= N) return;
    C[r * N + c] = dot_row_col(A, B, r, c, N);
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
