#include <lab.h>

#define W 16

// Double buffering: the next pair of tiles goes into the other half of the shared arrays
// while the present one is used; one barrier per tile.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float bufA[2][W][W];
    __shared__ float bufB[2][W][W];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * W + ty;
    const int col = blockIdx.x * W + tx;
    const int count = (N + W - 1) / W;

    auto load = [&](int half, int tile) {
        const int ka = tile * W + tx, kb = tile * W + ty;
        bufA[half][ty][tx] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        bufB[half][ty][tx] = (col < N && kb < N) ? B[kb * N + col] : 0.0f;
    };

    float acc = 0.0f;
    load(0, 0);
    __syncthreads();

    for (int tile = 0; tile < count; ++tile) {
        const int now = tile & 1;
        if (tile + 1 < count)
            load(now ^ 1, tile);

#pragma unroll
        for (int k = 0; k < W; ++k)
            acc += bufA[now][ty][k] * bufB[now][k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {W, W}, .tile = {W, W});
