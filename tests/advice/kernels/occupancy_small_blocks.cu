// Occupancy held down by shared memory: blocks of 8 x 8 threads, with the shared memory of tiles of 64 x 64.
#include <lab.h>

#define TILE 8
#ifdef FIXED
#define LARGEST_TILE TILE
#else
#define LARGEST_TILE 64
#endif

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                                  int N)
{
    __shared__ float tiles[2][LARGEST_TILE * LARGEST_TILE];
    float *a = tiles[0], *b = tiles[1];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        a[y * TILE + x] = row < N && first + x < N ? A[row * N + first + x] : 0.0f;
        b[y * TILE + x] = first + y < N && col < N ? B[(first + y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += a[y * TILE + k] * b[k * TILE + x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
