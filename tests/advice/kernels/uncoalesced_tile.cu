// uncoalesced loads: the tile of B is loaded with the thread's indices exchanged.
#include <lab.h>

#define TILE 32

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                                  int N)
{
    __shared__ float a[TILE][TILE];
    __shared__ float b[TILE][TILE + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0.0f;
    for (int t = 0; t < (N + TILE - 1) / TILE; ++t) {
        const int k = t * TILE;
        a[y][x] = row < N && k + x < N ? A[row * N + k + x] : 0.0f;
#ifdef FIXED
        b[y][x] = k + y < N && col < N ? B[(k + y) * N + col] : 0.0f;
#else
        const int other = blockIdx.x * TILE + y;
        b[x][y] = k + x < N && other < N ? B[(k + x) * N + other] : 0.0f;
#endif
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += a[y][i] * b[i][x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
