#include <lab.h>

#define W 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[W][W];
    __shared__ float b[W][W];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = ty + W * blockIdx.y;
    const int col = tx + W * blockIdx.x;

    float z = 0;
    for (int t = 0; t * W < N; t++)
    {
        const bool inA = row < N && t * W + tx < N;
        const bool inB = col < N && t * W + ty < N;
        a[ty, tx] = inA ? A[row * N + t * W + tx] : 0.0f;
        b[ty][tx] = inB ? B[(t * W + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < W; k++)
            z += a[ty][k] * b[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = z;
}

LAUNCH(.block = {W, W}, .tile = {W, W});
