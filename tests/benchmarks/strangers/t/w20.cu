#include <lab.h>

#define TILE 16

// dynamic shared memory: first half for A, second half for B
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float mem[];
    float *tileA = mem;
    float *tileB = mem + TILE * TILE;

    int lx = threadIdx.x, ly = threadIdx.y, l = ly * TILE + lx;
    int gx = blockIdx.x * TILE + lx, gy = blockIdx.y * TILE + ly;
    float r = 0;

    for (int base = 0; base < N; base += TILE)
    {
        tileA[l] = gy < N && base + lx < N ? A[gy * N + base + lx] : 0;
        tileB[l] = gx < N && base + ly < N ? B[(base + ly) * N + gx] : 0;
        __syncthreads();
        for (int q = 0; q < TILE; ++q)
            r += tileA[ly * TILE + q] * tileB[q * TILE + lx];
        __syncthreads();
    }
    if (gx < N && gy < N) C[gy * N + gx] = r;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
