// expect: wrong-answer; says: those outside of C, reach each __syncthreads()
// Threads whose row is outside C take part in the first step only, and then return.
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    int steps = row < N ? (N + TILE - 1) / TILE : 1;
    float sum = 0.0f;
    for (int t = 0; t < steps; ++t) {
        int k_loaded = t * TILE + ty;
        Bs[ty][tx] = k_loaded < N && col < N ? B[k_loaded * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            if (row < N && t * TILE + k < N)
                sum += A[row * N + t * TILE + k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
