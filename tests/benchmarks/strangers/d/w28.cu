#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int w = blockDim.x;
    __shared__ float a[w][w];
    __shared__ float b[w][w];
    const int x = threadIdx.x, y = threadIdx.y;
    const int col = blockIdx.x * w + x, row = blockIdx.y * w + y;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += w) {
        a[y][x] = row < N && k0 + x < N ? A[row * N + k0 + x] : 0.0f;
        b[y][x] = col < N && k0 + y < N ? B[(k0 + y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < w; ++k)
            sum += a[y][k] * b[k][x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
