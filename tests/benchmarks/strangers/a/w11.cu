#include <lab.h>

#define TILE 16

__device__ inline bool inside(unsigned row, unsigned col, unsigned N)
{
    return N - row > 0 && N - col > 0;
}

__device__ inline float at(const float *M, unsigned r, unsigned c, unsigned N)
{
    return inside(r, c, N) ? M[r * N + c] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE + 1];
    __shared__ float Bs[TILE][TILE + 1];

    unsigned tx = threadIdx.x;
    unsigned ty = threadIdx.y;
    unsigned row = blockIdx.y * TILE + ty;
    unsigned col = blockIdx.x * TILE + tx;

    float acc = 0.0f;
    for (unsigned k0 = 0; k0 < N; k0 += TILE) {
        As[ty][tx] = at(A, row, k0 + tx, N);
        Bs[ty][tx] = at(B, k0 + ty, col, N);
        __syncthreads();

#pragma unroll
        for (unsigned k = 0; k < TILE; ++k)
            acc = fmaf(As[ty][k], Bs[k][tx], acc);
        __syncthreads();
    }

    if (inside(row, col, N))
        C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
