// No reuse of A: only the tile of B is in shared memory.
#include <lab.h>

#define TILE 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
#ifdef FIXED
    __shared__ float a[TILE][TILE];
#endif
    __shared__ float b[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
#ifdef FIXED
        a[y][x] = row < N && first + x < N ? A[row * N + first + x] : 0.0f;
#endif
        b[y][x] = first + y < N && col < N ? B[(first + y) * N + col] : 0.0f;
        __syncthreads();
#ifdef FIXED
        for (int k = 0; k < TILE; ++k)
            sum += a[y][k] * b[k][x];
#else
        for (int k = 0; k < TILE && first + k < N; ++k)
            sum += (row < N ? A[row * N + first + k] : 0.0f) * b[k][x];
#endif
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
