#include <lab.h>

#define TILE 32
#define BROWS 8   // each thread does TILE / BROWS = 4 rows, like in the transpose sample

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[BROWS][TILE];
    __shared__ float sB[TILE][TILE];

    const int x = blockIdx.x * TILE + threadIdx.x;
    const int y = blockIdx.y * TILE + threadIdx.y;
    float res[TILE / BROWS] = {0.0f};

    for (int k0 = 0; k0 < N; k0 += TILE) {
        for (int j = 0; j < TILE; j += BROWS) {
            int ka = k0 + threadIdx.x;
            int kb = k0 + threadIdx.y + j;
            sA[threadIdx.y + j][threadIdx.x] = (y + j < N && ka < N) ? A[(y + j) * N + ka] : 0.0f;
            sB[threadIdx.y + j][threadIdx.x] = (kb < N && x < N) ? B[kb * N + x] : 0.0f;
        }
        __syncthreads();
        for (int j = 0; j < TILE; j += BROWS)
            for (int k = 0; k < TILE; k++)
                res[j / BROWS] += sA[threadIdx.y + j][k] * sB[k][threadIdx.x];
        __syncthreads();
    }

    for (int j = 0; j < TILE; j += BROWS)
        if (x < N && y + j < N)
            C[(y + j) * N + x] = res[j / BROWS];
}

LAUNCH(.block = {TILE, BROWS}, .tile = {TILE, TILE});
