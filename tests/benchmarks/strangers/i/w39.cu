#include <lab.h>

#define TILE 32

// dynamic shared memory: first the tile of A, behind it the tile of B
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float smem[];
    float *As = smem;
    float *Bs = smem + TILE * TILE;

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float c = 0.0f;

    for (int m = 0; m < N; m += TILE) {
        int me = ty * TILE + tx;
        As[me] = (row < N && m + tx < N) ? A[row * N + m + tx] : 0.0f;
        Bs[me] = (m + ty < N && col < N) ? B[(m + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            c += As[ty * TILE + k] * Bs[k * TILE + tx];
        __syncthreads();
    }

    if (row < N && col < N) C[row * N + col] = c;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE}, .shared = TILE * TILE * sizeof(float));
