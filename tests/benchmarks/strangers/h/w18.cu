#include <lab.h>

#define TILE 32
#define ROWS 8          // threads in y
#define PER_THREAD 4    // rows per thread

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[TILE][TILE + 1];
    __shared__ float sb[TILE][TILE + 1];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum[PER_THREAD] = {0.f, 0.f, 0.f, 0.f};

    for (int k0 = 0; k0 < N; k0 += TILE) {
        for (int i = 0; i < PER_THREAD; i++) {
            int y = ty + i * ROWS;
            int r = row + i * ROWS;
            sa[y][tx] = (r < N && k0 + tx < N) ? A[r * N + k0 + tx] : 0.f;
            sb[y][tx] = (k0 + y < N && col < N) ? B[(k0 + y) * N + col] : 0.f;
        }
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            for (int i = 0; i < PER_THREAD; i++)
                sum[i] += sa[ty + i * ROWS][k] * sb[k][tx];
        __syncthreads();
    }

    for (int i = 0; i < PER_THREAD; i++)
        if (row < N && col < N)
            C[(row + i * ROWS) * N + col] = sum[i];
}

LAUNCH(.block = {TILE, ROWS}, .tile = {TILE, TILE});
