#include <lab.h>

#define W 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float pa[W][W];
    __shared__ float pb[W][W];
    __shared__ int k0;           // start of the current tile, the same for all threads

    int tx = threadIdx.x, ty = threadIdx.y;
    bool first = tx == 0 && ty == 0;
    int row = blockIdx.y * W + ty, col = blockIdx.x * W + tx;
    float f = 0.0f;

    if (first)
        k0 = 0;
    __syncthreads();

    for (int tiles = (N + W - 1) / W; tiles > 0; --tiles) {
        pa[ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
        pb[ty][tx] = col < N && k0 + ty < N ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < W; ++k)
            f += pa[ty][k] * pb[k][tx];
        __syncthreads();

        if (first)
            k0 += W;
    }

    if (row < N && col < N)
        C[row * N + col] = f;
}

LAUNCH(.block = {W, W}, .tile = {W, W});
