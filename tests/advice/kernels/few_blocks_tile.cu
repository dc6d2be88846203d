// Too few blocks for the device: at N = 256, tiles of 32 x 32 are 64 blocks.
// size: 256
#include <lab.h>

#ifdef FIXED
#define TILE 16
#else
#define TILE 32
#endif

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                                  int N)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        a[y][x] = row < N && first + x < N ? A[row * N + first + x] : 0.0f;
        b[y][x] = first + y < N && col < N ? B[(first + y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += a[y][k] * b[k][x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
