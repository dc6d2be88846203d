// Needless barriers: one after each multiply-add of the loop over a tile.
#include <lab.h>

constexpr int TILE = 32;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    const int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < N; first += TILE) {
        As[threadIdx.y][threadIdx.x] = row < N && first + threadIdx.x < N ? A[row * N + first + threadIdx.x] : 0;
        Bs[threadIdx.y][threadIdx.x] = first + threadIdx.y < N && col < N ? B[(first + threadIdx.y) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
#ifndef FIXED
            __syncthreads();
#endif
        }
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
