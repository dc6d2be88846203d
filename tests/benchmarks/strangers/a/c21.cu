#include <lab.h>

#define T 32
#define GROUP 8

struct TilePos {
    int y, x;
};

__device__ TilePos renumber()
{
    const int gx = gridDim.x, gy = gridDim.y;
    const int id = blockIdx.y * gx + blockIdx.x;
    const int perGroup = GROUP * gx;
    const int first = id / perGroup * GROUP;
    const int height = min(GROUP, gy - first);
    const int within = id % perGroup;
    TilePos p;
    p.y = first + within % height;
    p.x = within / height;
    return p;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[T][T];
    __shared__ float b[T][T];

    const TilePos tile = renumber();
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = tile.y * T + y, col = tile.x * T + x;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += T) {
        a[y][x] = row < N && k0 + x < N ? A[row * N + k0 + x] : 0.0f;
        b[y][x] = col < N && k0 + y < N ? B[(k0 + y) * N + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < T; ++k)
            sum += a[y][k] * b[k][x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
