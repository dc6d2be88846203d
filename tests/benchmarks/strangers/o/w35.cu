#include <lab.h>

#define SIZE 16
typedef float Tile[SIZE][SIZE];

__device__ float tileDot(Tile a, Tile b, int y, int x)
{
    float d = 0.0f;
#pragma unroll
    for (int k = 0; k < SIZE; ++k)
        d += a[y][k] * b[k][x];
    return d;
}

__device__ float fetch(const float *m, int y, int x, int n)
{
    if (y < n && x < n)
        return m[y * n + x];
    return 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tile shA;
    __shared__ Tile shB;
    int y = blockIdx.y * SIZE + threadIdx.y;
    int x = blockIdx.x * SIZE + threadIdx.x;

    float result = 0.0f;
    for (int k = 0; k < N; k += SIZE) {
        shA[threadIdx.y][threadIdx.x] = fetch(A, y, k + threadIdx.x, N);
        shB[threadIdx.y][threadIdx.x] = fetch(B, k + threadIdx.y, x, N);
        __syncthreads();
        result = tileDot(shA, shB, threadIdx.y, threadIdx.x);
        __syncthreads();
    }

    if (y < N && x < N)
        C[y * N + x] = result;
}

LAUNCH(.block = {SIZE, SIZE}, .tile = {SIZE, SIZE});
