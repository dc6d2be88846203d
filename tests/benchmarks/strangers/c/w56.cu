#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int bs = blockDim.x;
    __shared__ float tile[2][TILE][bs];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * bs + ty;
    int col = blockIdx.x * bs + tx;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += bs) {
        tile[0][ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
        tile[1][ty][tx] = (k0 + ty < N && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < bs; ++k)
            sum += tile[0][ty][k] * tile[1][k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
