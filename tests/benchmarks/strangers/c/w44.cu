#include <lab.h>

#define TILE 16

extern __shared__ float smem[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *As = smem;
    float *Bs = smem + TILE;
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float acc = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        As[ty * TILE + tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
        Bs[ty * TILE + tx] = (k0 + ty < N && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            acc += As[ty * TILE + k] * Bs[k * TILE + tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE}, .shared = 2 * TILE * TILE * sizeof(float));
