#include <lab.h>

#define TILE 16

// Two tiles per round: halves the number of barriers.
struct Buffers {
    float a[2][TILE][TILE];
    float b[2][TILE][TILE];
};

__device__ void get(Buffers &s, int slot, const float *A, const float *B, int row, int col, int t, int N)
{
    int ka = t * TILE + threadIdx.x;
    int kb = t * TILE + threadIdx.y;
    float va = 0, vb = 0;
    if (row < N && ka < N) va = A[row * N + ka];
    if (kb < N && col < N) vb = B[kb * N + col];
    s.a[slot][threadIdx.y][threadIdx.x] = va;
    s.b[slot][threadIdx.y][threadIdx.x] = vb;
}

__device__ float use(const Buffers &s, int slot)
{
    float r = 0;
    for (int k = 0; k < TILE; ++k)
        r += s.a[slot][threadIdx.y][k] * s.b[slot][k][threadIdx.x];
    return r;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Buffers s;
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    int tiles = (N + TILE - 1) / TILE;

    float sum = 0;
    for (int t = 0; t + 1 < tiles; t += 2) {
        get(s, 0, A, B, row, col, t, N);
        get(s, 1, A, B, row, col, t + 1, N);
        __syncthreads();
        sum += use(s, 0);
        sum += use(s, 1);
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
