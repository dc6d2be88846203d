#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float smem[];
    float *As = smem;
    float *Bs = As + TILE;

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int t = 0; t < N; t += TILE) {
        As[ty * TILE + tx] = (row < N && t + tx < N) ? A[row * N + t + tx] : 0.0f;
        Bs[ty * TILE + tx] = (t + ty < N && col < N) ? B[(t + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[ty * TILE + k] * Bs[k * TILE + tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE}, .shared = 2 * TILE * TILE * sizeof(float));
