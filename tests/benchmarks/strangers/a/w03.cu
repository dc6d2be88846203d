#include <lab.h>

#define T 16

struct Tile {
    float v[T][T];
};

__device__ void loadA(Tile &dst, const float *A, int row, int k0, int N)
{
    int k = k0 + threadIdx.x;
    dst.v[threadIdx.y][threadIdx.x] = (row < N && k < N) ? A[row * N + k] : 0.0f;
}

__device__ void loadB(Tile &dst, const float *B, int k0, int col, int N)
{
    int k = k0 + threadIdx.y;
    dst.v[threadIdx.y][threadIdx.x] = (col < N) ? B[k * N + col] : 0.0f;
}

__device__ float dotTile(const Tile &a, const Tile &b)
{
    float s = 0.0f;
#pragma unroll
    for (int k = 0; k < T; k++)
        s += a.v[threadIdx.y][k] * b.v[k][threadIdx.x];
    return s;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tile a, b;

    int row = blockIdx.y * T + threadIdx.y;
    int col = blockIdx.x * T + threadIdx.x;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += T) {
        loadA(a, A, row, k0, N);
        loadB(b, B, k0, col, N);
        __syncthreads();
        sum += dotTile(a, b);
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
