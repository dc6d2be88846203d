// Atomic operations on the result: after each tile, the sum of its 16 products is added to C.
// size: 256
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    const bool inside = row < N && col < N;
    float sum = 0.0f;
#ifndef FIXED
    if (inside)
        C[row * N + col] = 0.0f;
#endif
    for (int first = 0; first < N; first += TILE) {
        a[y][x] = row < N && first + x < N ? A[row * N + first + x] : 0.0f;
        b[y][x] = first + y < N && col < N ? B[(first + y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += a[y][k] * b[k][x];
        __syncthreads();
#ifndef FIXED
        if (inside)
            atomicAdd(&C[row * N + col], sum);
        sum = 0.0f;
#endif
    }
#ifdef FIXED
    if (inside)
        C[row * N + col] = sum;
#endif
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
