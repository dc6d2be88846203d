#include <lab.h>
#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][blockDim.x];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float acc = 0.0f;
    for (int t = 0; t < N; t += TILE) {
        As[ty][tx] = (row < N && t + tx < N) ? A[row * N + t + tx] : 0.0f;
        Bs[ty][tx] = (col < N && t + ty < N) ? B[(t + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
