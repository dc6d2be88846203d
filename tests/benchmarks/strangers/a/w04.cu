#include <lab.h>

#define TILE 16

// Tiled version. The next tile is fetched into registers while the current one is being used.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    int tiles = (N + TILE - 1) / TILE;
    bool even = N % TILE == 0;   // then no element is outside and no test is needed

    float a = (row < N && tx < N) ? A[row * N + tx] : 0.f;
    float b = (ty < N && col < N) ? B[ty * N + col] : 0.f;
    float sum = 0.f;

    for (int t = 0; t < tiles; ++t) {
        As[ty][tx] = a;
        Bs[ty][tx] = b;
        __syncthreads();

        if (t < tiles) {
            int ka = (t + 1) * TILE + tx;
            int kb = (t + 1) * TILE + ty;
            if (even) {
                a = A[row * N + ka];
                b = B[kb * N + col];
            } else {
                a = (row < N && ka < N) ? A[row * N + ka] : 0.f;
                b = (kb < N && col < N) ? B[kb * N + col] : 0.f;
            }
        }

        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
