#include <lab.h>

#define TILE 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;

    // first tile
    float a = row < N && tx < N ? A[row * N + tx] : 0.0f;
    float b = col < N && ty < N ? B[ty * N + col] : 0.0f;
    float sum = 0.0f;
    int k0 = 0;

    while (k0 < N) {
        As[ty][tx] = a;
        Bs[ty][tx] = b;
        __syncthreads();
        // get the next one while we compute, if there is one
        if (k0 + TILE < N) {
            int ka = k0 + TILE + tx, kb = k0 + TILE + ty;
            a = row < N && ka < N ? A[row * N + ka] : 0.0f;
            b = col < N && kb < N ? B[kb * N + col] : 0.0f;
            k0 += TILE;
        }
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
