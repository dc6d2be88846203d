#include <lab.h>

#define TILE_SIZE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE_SIZE * TILE_SIZE];
    __shared__ float Bs[TILE_SIZE * TILE_SIZE];

    int row = blockIdx.y * TILE_SIZE + threadIdx.y;
    int col = blockIdx.x * TILE_SIZE + threadIdx.x;
    int me = threadIdx.y * TILE_SIZE + threadIdx.x;
    float Sum = 0;

    int tile = 0;
    do {
        int k0 = tile * TILE_SIZE;
        As[me] = row < N && k0 + threadIdx.x < N ? A[row * N + k0 + threadIdx.x] : 0;
        Bs[me] = col < N && k0 + threadIdx.y < N ? B[(k0 + threadIdx.y) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < TILE_SIZE; k++)
            sum += As[threadIdx.y * TILE_SIZE + k] * Bs[k * TILE_SIZE + threadIdx.x];
        __syncthreads();
        tile++;
    } while (tile * TILE_SIZE < N);

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE_SIZE, TILE_SIZE}, .tile = {TILE_SIZE, TILE_SIZE});
