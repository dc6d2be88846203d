#include <lab.h>
#define TILE 32
#define AREA (TILE * TILE)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float bufA[2 * AREA];
    __shared__ float bufB[2 * AREA];
    float *aNow = bufA, *aNext = bufA + AREA;
    float *bNow = bufB, *bNext = bufB + AREA;
    float *tmp;

    int x = threadIdx.x, y = threadIdx.y;
    int me = y * TILE + x;
    int row = blockIdx.y * TILE + y;
    int col = blockIdx.x * TILE + x;

    aNow[me] = row < N && x < N ? A[row * N + x] : 0.0f;
    bNow[me] = y < N && col < N ? B[y * N + col] : 0.0f;
    __syncthreads();

    float dot = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TILE) {
        int k1 = k0 + TILE;
        aNext[me] = row < N && k1 + x < N ? A[row * N + k1 + x] : 0.0f;
        bNext[me] = k1 + y < N && col < N ? B[(k1 + y) * N + col] : 0.0f;

        for (int k = 0; k < TILE; k++)
            dot += aNow[y * TILE + k] * bNow[k * TILE + x];
        __syncthreads();

        tmp = aNow; aNow = aNext; aNext = tmp;
    }

    if (row < N && col < N)
        C[row * N + col] = dot;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
