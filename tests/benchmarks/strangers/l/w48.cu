#include <lab.h>

#define TILE 16

struct Tiles
{
    float a[TILE][TILE];
    float b[TILE][TILE];
};

__device__ Tiles tiles;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int x = blockIdx.x * TILE + tx;
    const int y = blockIdx.y * TILE + ty;
    float sum = 0.0f;

    for (int t = 0; t < N; t += TILE) {
        tiles.a[ty][tx] = (y < N && t + tx < N) ? A[y * N + (t + tx)] : 0.0f;
        tiles.b[ty][tx] = (x < N && t + ty < N) ? B[(t + ty) * N + x] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; ++k) {
            sum += tiles.a[ty][k] * tiles.b[k][tx];
        }
        __syncthreads();
    }

    if (x < N && y < N) {
        C[y * N + x] = sum;
    }
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
