#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= N || row >= N)
        return;

    const float *a = A + row * N;
    const float *b = B + col;
    float sum = 0.0f;

    int k = 0;
    while (k < N)
    {
        if (k + 4 <= N)
        {
            // unrolled by hand
            sum += a[k + 0] * b[(k + 0) * N];
            sum += a[k + 1] * b[(k + 1) * N];
            sum += a[k + 2] * b[(k + 2) * N];
            sum += a[k + 3] * b[(k + 3) * N];
            k += 4;
        }
        else
        {
            // the rest
            sum += a[k] * b[k * N];
        }
    }

    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
