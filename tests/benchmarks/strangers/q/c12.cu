#include "lab.h"

// Double buffering: the next tile waits in registers (na, nb) while we work on this one. One barrier per tile.
#define DIM 32

extern "C" __global__ void matmul(const float* __restrict__ A, const float* __restrict__ B, float* C, int N)
{
    __shared__ float bufA[2][DIM][DIM + 1];
    __shared__ float bufB[2][DIM][DIM];

    const int lx = threadIdx.x;
    const int ly = threadIdx.y;
    const int gx = blockIdx.x * DIM + lx;
    const int gy = blockIdx.y * DIM + ly;

    float na = (gy < N && lx < N) ? A[gy * N + lx] : 0.0f;
    float nb = (ly < N && gx < N) ? B[ly * N + gx] : 0.0f;
    bufA[0][ly][lx] = na;
    bufB[0][ly][lx] = nb;
    __syncthreads();

    float res = 0.0f;
    int cur = 0;
    for (int k0 = 0; k0 < N; k0 += DIM)
    {
        const int next = k0 + DIM;
        const bool more = next < N;
        if (more)
        {
            na = (gy < N && next + lx < N) ? A[gy * N + next + lx] : 0.0f;
            nb = (next + ly < N && gx < N) ? B[(next + ly) * N + gx] : 0.0f;
        }
        for (int k = 0; k < DIM; k++)
            res += bufA[cur][ly][k] * bufB[cur][k][lx];
        cur = 1 - cur;
        if (more)
        {
            bufA[cur][ly][lx] = na;
            bufB[cur][ly][lx] = nb;
        }
        __syncthreads();
    }

    if (gy < N && gx < N) C[gy * N + gx] = res;
}

LAUNCH(.block = {DIM, DIM}, .tile = {DIM, DIM});
