// Blocks are visited in groups of 8 block columns, for the L2 cache.
#include <lab.h>
#define TILE 32
#define GROUP 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    const int id = blockIdx.y * gridDim.x + blockIdx.x;
    const int perGroup = GROUP * gridDim.y;
    const int group = id / perGroup;
    const int firstX = group * GROUP;
    const int width = GROUP;
    const int bx = firstX + (id % perGroup) % width;
    const int by = (id % perGroup) / width;

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int c = bx * TILE + tx;
    float acc[4] = {0, 0, 0, 0};

    for (int k0 = 0; k0 < N; k0 += TILE) {
        for (int i = 0; i < 4; ++i) {
            int y = ty + 8 * i;
            int r = by * TILE + y;
            As[y][tx] = (r < N && k0 + tx < N) ? A[r * N + k0 + tx] : 0.0f;
            Bs[y][tx] = (k0 + y < N && c < N) ? B[(k0 + y) * N + c] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            for (int i = 0; i < 4; ++i)
                acc[i] += As[ty + 8 * i][k] * Bs[k][tx];
        __syncthreads();
    }

    for (int i = 0; i < 4; ++i) {
        int r = by * TILE + ty + 8 * i;
        if (r < N && c < N)
            C[r * N + c] = acc[i];
    }
}

LAUNCH(.block = {TILE, 8}, .tile = {TILE, TILE});
