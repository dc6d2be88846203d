#include <lab.h>

// grid-stride over 32x32 tiles: a quarter... 16 tiles per block at most
#define TILE 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int n = (N + TILE - 1) / TILE;
    const int step = gridDim.x * gridDim.y;

    for (int t = blockIdx.x * gridDim.y + blockIdx.y; t < n * n; t += step) {
        const int row = t / n * TILE + ty;
        const int col = t % n * TILE + tx;
        float c0 = 0.0f, c1 = 0.0f;      // rows row and row + 16

        for (int k0 = 0; k0 < N; k0 += TILE) {
            __syncthreads();
            for (int i = 0; i < TILE; i += 16) {
                As[ty + i][tx] = (row + i < N && k0 + tx < N) ? A[(row + i) * N + k0 + tx] : 0.0f;
                Bs[ty + i][tx] = (k0 + ty + i < N && col < N) ? B[(k0 + ty + i) * N + col] : 0.0f;
            }
            __syncthreads();
            for (int k = 0; k < TILE; ++k) {
                c0 += As[ty][k] * Bs[k][tx];
                c1 += As[ty + 16][k] * Bs[k][tx];
            }
        }
        if (row < N && col < N) C[row * N + col] = c0;
        if (row + 16 < N && col < N) C[(row + 16) * N + col] = c1;
    }
}

LAUNCH(.block = {TILE, 16}, .tile = {128, 128});
