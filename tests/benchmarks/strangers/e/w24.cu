#include <lab.h>

#define TILE 16

// prefetch the next tile into registers while computing with the current one
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float regA = (row < N && tx < N) ? A[row * N + tx] : 0.0f;
    float regB = (ty < N && col < N) ? B[ty * N + col] : 0.0f;
    float out = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        As[ty][tx] = regA;
        Bs[ty][tx] = regB;
        __syncthreads();

        int next = k0;
        regA = (row < N && next + tx < N) ? A[row * N + next + tx] : 0.0f;
        regB = (next + ty < N && col < N) ? B[(next + ty) * N + col] : 0.0f;

#pragma unroll
        for (int k = 0; k < TILE; k++)
            out += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = out;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
