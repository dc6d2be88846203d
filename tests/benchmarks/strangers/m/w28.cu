#include <lab.h>

#define TILE 16

extern __shared__ float smem[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *As = smem;
    float *Bs = smem + TILE * TILE;

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    int me = ty * TILE + tx;
    float sum = 0.0f;

    for (int p = 0; p < N; p += TILE) {
        As[me] = (row < N && p + tx < N) ? A[row * N + (p + tx)] : 0.0f;
        Bs[me] = (col < N && p + ty < N) ? B[(p + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty * TILE + k] * Bs[k * TILE + tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE}, .shared = 2 * TILE * TILE);
