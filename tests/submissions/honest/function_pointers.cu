// expect: ok; sizes: 33, 68
// Chooses between two device functions through a table of function pointers.
#include <lab.h>

typedef float (*Dot)(const float *, const float *, int);

__device__ float even_sizes(const float *a, const float *b, int N)
{
    float sum = 0.0f;
    for (int k = 0; k < N; k += 2)
        sum += a[k] * b[k * N] + a[k + 1] * b[(k + 1) * N];
    return sum;
}

__device__ float odd_sizes(const float *a, const float *b, int N)
{
    float sum = a[0] * b[0];
    for (int k = 1; k < N; ++k)
        sum += a[k] * b[k * N];
    return sum;
}

__device__ const Dot functions[] = {even_sizes, odd_sizes};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N)
        C[row * N + col] = functions[N % 2](A + row * N, B + col, N);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
