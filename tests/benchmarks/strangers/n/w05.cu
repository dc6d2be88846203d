#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[blockDim.y][blockDim.x], b[blockDim.y][blockDim.x];
    int x = threadIdx.x, y = threadIdx.y, w = blockDim.x;
    int row = blockIdx.y * w + y, col = blockIdx.x * w + x;
    float c = 0;
    for (int m = 0; m < N; m += w) {
        a[y][x] = row < N && m + x < N ? A[row * N + m + x] : 0;
        b[y][x] = m + y < N && col < N ? B[(m + y) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < w; k++) c += a[y][k] * b[k][x];
        __syncthreads();
    }
    if (row < N && col < N) C[row * N + col] = c;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
