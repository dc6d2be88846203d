// shared memory kara float4 de yomu (enshuu dai 6 kai)
#include <lab.h>

#define TILE 32
#define PAD 1
#define ROWS_PER_BLOCK 8

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B,
                                  float *__restrict__ C, int N)
{
    __shared__ __align__(16) float sA[TILE][TILE + PAD];
    __shared__ float sB[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int gyou0 = blockIdx.y * TILE;
    const int retsu = blockIdx.x * TILE + tx;

    float acc[TILE / ROWS_PER_BLOCK] = {0.0f};

    for (int k0 = 0; k0 < N; k0 += TILE) {
        for (int r = ty; r < TILE; r += ROWS_PER_BLOCK) {
            sA[r][tx] = (gyou0 + r < N && k0 + tx < N) ? A[(gyou0 + r) * N + k0 + tx] : 0.0f;
            sB[r][tx] = (k0 + r < N && retsu < N) ? B[(k0 + r) * N + retsu] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < TILE; k += 4) {
            const float b0 = sB[k][tx], b1 = sB[k + 1][tx], b2 = sB[k + 2][tx], b3 = sB[k + 3][tx];
            for (int i = 0; i < TILE / ROWS_PER_BLOCK; i++) {
                const float4 a = *(const float4 *)&sA[ty + i * ROWS_PER_BLOCK][k];
                acc[i] += a.x * b0 + a.y * b1 + a.z * b2 + a.w * b3;
            }
        }
        __syncthreads();
    }

    for (int i = 0; i < TILE / ROWS_PER_BLOCK; i++) {
        const int gyou = gyou0 + ty + i * ROWS_PER_BLOCK;
        if (gyou < N && retsu < N) C[gyou * N + retsu] = acc[i];
    }
}

LAUNCH(.block = {TILE, ROWS_PER_BLOCK}, .tile = {TILE, TILE});
