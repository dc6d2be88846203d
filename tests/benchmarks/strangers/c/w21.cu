#include <lab.h>

#define TILE 32
#define NY 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int rowBase = blockIdx.y * blockDim.y;
    int col = blockIdx.x * blockDim.x + tx;
    float acc[TILE / NY] = {};

    for (int k0 = 0; k0 < N; k0 += TILE) {
        for (int y = ty; y < TILE; y += NY) {
            int r = rowBase + y, k = k0 + y;
            As[y][tx] = (r < N && k0 + tx < N) ? A[r * N + k0 + tx] : 0.0f;
            Bs[y][tx] = (k < N && col < N) ? B[k * N + col] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            for (int i = 0; i < TILE / NY; ++i)
                acc[i] += As[ty + i * NY][k] * Bs[k][tx];
        __syncthreads();
    }
    for (int i = 0; i < TILE / NY; ++i) {
        int r = rowBase + ty + i * NY;
        if (r < N && col < N)
            C[r * N + col] = acc[i];
    }
}

LAUNCH(.block = {TILE, NY}, .tile = {TILE, TILE});
