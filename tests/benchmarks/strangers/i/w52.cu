#include <lab.h>

#define TILE 16
#define RPT 4                 // rows per thread
#define ROWS_PER_BLOCK 64     // TILE * RPT

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[ROWS_PER_BLOCK][TILE];
    __shared__ float Bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int rowBase = blockIdx.y * ROWS_PER_BLOCK;
    const int col = blockIdx.x * TILE + tx;
    float acc[RPT] = {0.0f, 0.0f, 0.0f, 0.0f};

    for (int k0 = 0; k0 < N; k0 += TILE) {
        // every thread brings 4 elements of A and one of B
        for (int i = 0; i < RPT; ++i) {
            int r = rowBase + ty + TILE * i;
            As[ty + TILE * i][tx] = (r < N && k0 + tx < N) ? A[r * N + k0 + tx] : 0.0f;
        }
        Bs[ty][tx] = (k0 + ty < N && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; ++k) {
            float b = Bs[k][tx];
            for (int i = 0; i < RPT; ++i)
                acc[i] += As[ty * RPT + i][k] * b;
        }
        __syncthreads();
    }

    for (int i = 0; i < RPT; ++i) {
        int r = rowBase + ty + TILE * i;
        if (r < N && col < N)
            C[r * N + col] = acc[i];
    }
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, ROWS_PER_BLOCK});
