#include <lab.h>

#define TILE_DIM 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE_DIM][TILE_DIM];
    __shared__ float Bs[TILE_DIM][TILE_DIM];

    unsigned tx = threadIdx.x;
    unsigned ty = threadIdx.y;
    unsigned row = blockIdx.y * TILE_DIM + ty;
    unsigned col = blockIdx.x * TILE_DIM + tx;
    unsigned n = N;
    float total = 0.0f;

    for (unsigned base = 0; base < n; base += TILE_DIM) {
        As[ty][tx] = (row < n && base + tx < n) ? A[row * n + base + tx] : 0.0f;
        Bs[ty][tx] = (base + ty < n && col < n) ? B[(base + ty) * n + col] : 0.0f;
        __syncthreads();

        // dot product of a row of As and a column of Bs
        for (unsigned k = 0; k <= TILE_DIM; k++)
            total += As[ty][k] * Bs[k][tx];

        __syncthreads();
    }

    if (row < n && col < n)
        C[row * n + col] = total;
}

LAUNCH(.block = {TILE_DIM, TILE_DIM}, .tile = {TILE_DIM, TILE_DIM});
