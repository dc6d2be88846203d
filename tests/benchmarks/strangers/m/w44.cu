#include <lab.h>

__device__ float row_times_column(const float *a, const float *b, int n)
{
    float s = 0.0f;
    #pragma unroll 8
    for (int k = 0; k < n; ++k)
        s = fmaf(a[k], b[(size_t)k * n], s);
    return s;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    size_t col = blockIdx.x * blockDim.x + threadIdx.x;
    size_t row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < N && col < N)
        C[row * N + col] = row_times_column(A + row * N, B + col, N);
}

LAUNCH(.block = {32, 8}, .tile = {32, 8}, .grid_x = ROWS);
