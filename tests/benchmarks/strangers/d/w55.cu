#include <lab.h>

#define TILE_W 16
#define AT(M, r, c) M[r * N + c]

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float left[TILE_W][TILE_W + 1];
    __shared__ float right[TILE_W][TILE_W + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE_W + ty, col = blockIdx.x * TILE_W + tx;

    float p = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TILE_W) {
        left[ty][tx] = row < N && k0 + tx < N ? AT(A, row, k0 + tx) : 0.0f;
        right[ty][tx] = k0 + ty < N && col < N ? AT(B, k0 + ty, col) : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE_W; k++)
            p += left[ty][k] * right[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        AT(C, row, col) = p;
}

LAUNCH(.block = {TILE_W, TILE_W});
