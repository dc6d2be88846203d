#include <lab.h>

#define W 8
#define LAYERS 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sums[W][W];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int z = threadIdx.z;
    int row = blockIdx.y * W + ty;
    int col = blockIdx.x * W + tx;
    bool inside = row < N && col < N;

    if (z == 0)
        sums[ty][tx] = 0.0f;
    __syncthreads();

    if (inside) {
        // every layer takes one quarter of the products
        float part = 0.0f;
        for (int k = z; k < N; k += LAYERS)
            part += A[row * N + k] * B[k * N + col];
        sums[ty][tx] += part;
    }
    __syncthreads();

    if (inside && z == 0)
        C[row * N + col] = sums[ty][tx];
}

LAUNCH(.block = {W, W, LAYERS}, .tile = {W, W});
