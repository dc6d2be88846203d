#include <lab.h>
#define TILE 16

// thread coarsening: two columns per thread (col and col + TILE), A's tile is used for both
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][2 * TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int colA = blockIdx.x * (2 * TILE) + tx;
    int colB = colA + TILE;
    float s0 = 0.f, s1 = 0.f;

    for (int m = 0; m < (N + TILE - 1) / TILE; m++) {
        int ka = m * TILE + tx;
        int kb = m * TILE + ty;
        As[ty][tx] = row < N && ka < N ? A[row * N + ka] : 0.f;
        Bs[ty][tx] = kb < N && colA < N ? B[kb * N + colA] : 0.f;
        Bs[ty][tx + TILE] = kb < N && colB < N ? B[kb * N + colB] : 0.f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++) {
            float a = As[ty][k];
            s0 += a * Bs[k][tx];
            s1 += a * Bs[k][tx + TILE];
        }
        __syncthreads();
    }

    if (row < N) {
        if (colA < N) C[row * N + colA] = s0;
        if (colB < N) C[row * N + colB] = s0;
    }
}

LAUNCH(.block = {TILE, TILE}, .tile = {2 * TILE, TILE});
