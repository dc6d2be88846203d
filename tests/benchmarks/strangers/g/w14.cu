#include <lab.h>

constexpr int BLK = 16;

__device__ void fill(float &dst, const float *src, int k, int other, int N)
{
    if (k < N)
        if (other < N)
            dst = *src;
    else
        dst = 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float p[BLK][BLK];
    __shared__ float q[BLK][BLK];

    const int u = threadIdx.x, v = threadIdx.y;
    const int row = blockIdx.y * BLK + v;
    const int col = blockIdx.x * BLK + u;

    float sum = 0.0f;
    int k0 = 0;
    do {
        fill(p[v][u], A + row * N + (k0 + u), k0 + u, row, N);
        fill(q[v][u], B + (k0 + v) * N + col, k0 + v, col, N);
        __syncthreads();
        for (int k = 0; k < BLK; ++k)
            sum += p[v][k] * q[k][u];
        __syncthreads();
        k0 += BLK;
    } while (k0 < N);

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {BLK, BLK}, .tile = {BLK, BLK});
