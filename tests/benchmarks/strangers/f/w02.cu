#include <lab.h>

static float dot(const float *x, const float *y, int stride, int n)
{
    float d = 0.0f;
    for (int i = 0; i < n; i++)
        d += x[i] * y[i * stride];
    return d;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // 1-D blocks: 128 threads along a row of C
    int j = blockIdx.x * 128 + threadIdx.x;
    int i = blockIdx.y;
    if (j < N)
        C[i * N + j] = dot(A + i * N, B + j, N, N);
}

LAUNCH(.block = {128}, .tile = {128, 1});
