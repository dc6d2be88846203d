#include <lab.h>

#define TILE 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tileA[TILE][TILE];
    __shared__ float tileB[TILE][TILE];
    const int col = blockIdx.x * TILE + threadIdx.x;
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int count = (N + TILE - 1) / TILE;
    float sum = 0.0f;

    for (int t = 0; t < count; ++t) {
        const int width = t == count - 1 ? N % TILE : TILE;
        if (row < N && threadIdx.x < width)
            tileA[threadIdx.y][threadIdx.x] = A[row * N + t * TILE + threadIdx.x];
        if (col < N && threadIdx.y < width)
            tileB[threadIdx.y][threadIdx.x] = B[(t * TILE + threadIdx.y) * N + col];
        __syncthreads();
        if (row < N && col < N)
            for (int k = 0; k < width; ++k)
                sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE});
