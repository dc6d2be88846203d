// expect: ok
// The loop over whole tiles needs no test along k; the last tile is peeled off and shorter.
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    int first = 0;
    for (; first + TILE <= N; first += TILE) {
        As[ty][tx] = row < N ? A[row * N + first + tx] : 0.0f;
        Bs[ty][tx] = col < N ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && first + tx < N)
        As[ty][tx] = A[row * N + first + tx];
    if (first + ty < N && col < N)
        Bs[ty][tx] = B[(first + ty) * N + col];
    __syncthreads();
    for (int k = 0; first + k < N; ++k)
        sum += As[ty][k] * Bs[k][tx];
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
