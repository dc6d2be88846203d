#include <lab.h>
#define W 16

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ float ta[W][W + 1];
    __shared__ float tb[W][W + 1];

    const int p = threadIdx.x;      // column in the tile
    const int q = threadIdx.y;      // row in the tile
    const int j = blockIdx.x * W + p;
    const int i = blockIdx.y * W + q;

    float sum = 0.f;
    int k0 = 0;
    while (k0 < N) {
        ta[q][p] = (i < N && k0 + p < N) ? __ldg(A + i * N + k0 + p) : 0.f;
        tb[q][p] = (j < N && k0 + q < N) ? __ldg(B + (k0 + q) * N + j) : 0.f;
        __syncwarp();
        for (int k = 0; k < W; ++k)
            sum += ta[q][k] * tb[k][p];
        __syncthreads();
        k0 += W;
    }

    if (i < N && j < N)
        C[i * N + j] = sum;
}

LAUNCH(.block = {W, W}, .tile = {W, W});
