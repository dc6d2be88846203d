#include <lab.h>
#define W 16

// tiled version, see slide 23
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float Asub[W][W];
    __shared__ float Bsub[W][W];

    int r = blockIdx.y * W + threadIdx.y;
    int c = blockIdx.x * W + threadIdx.x;
    float sum = 0.0f;

    for (int start = 0; start < N; start += W)
    {
        // fetch one element of each tile
        if (r < N && start + threadIdx.x < N)
            Asub[threadIdx.y][threadIdx.x] = A[r * N + start + threadIdx.x];
        else
            Asub[threadIdx.y][threadIdx.x] = 0.0f;

        if (c < N && start + threadIdx.y < N)
            Bsub[threadIdx.y][threadIdx.x] = B[(start + threadIdx.y) * N + c];
        else
            Bsub[threadIdx.y][threadIdx.x] = 0.0f;

        __syncthreads();

        // multiply the two tiles
        sum = 0.0f;
        for (int k = 0; k < W; k++)
            sum += Asub[threadIdx.y][k] * Bsub[k][threadIdx.x];

        __syncthreads();
    }

    if (r < N && c < N)
        C[r * N + c] = sum;
}

LAUNCH(.block = {W, W}, .tile = {W, W});
