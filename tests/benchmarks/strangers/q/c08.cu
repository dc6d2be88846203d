#include <lab.h>

// split-K inside the block: threadIdx.z = slice of K, the partial sums meet in shared memory.
#define W 8
#define SLICES 4

extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n)
{
    __shared__ float out[W][W];
    if (threadIdx.z == 0)
        out[threadIdx.y][threadIdx.x] = 0.f;
    __syncthreads();

    int i = blockIdx.y * W + threadIdx.y;
    int j = blockIdx.x * W + threadIdx.x;
    int len  = (n + SLICES - 1) / SLICES;
    int from = threadIdx.z * len;
    int to   = min(from + len, n);

    if (i < n && j < n) {
        float partial = 0.f;
        for (int k = from; k < to; ++k)
            partial += a[i * n + k] * b[k * n + j];
        atomicAdd(&out[threadIdx.y][threadIdx.x], partial);
    }
    __syncthreads();

    if (threadIdx.z == 0 && i < n && j < n)
        c[i * n + j] = out[threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {W, W, SLICES}, .tile = {W, W});
