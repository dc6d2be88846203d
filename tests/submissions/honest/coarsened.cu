// expect: ok
// Thread coarsening: a thread computes four elements of a row, so one tile of A serves four tiles of B.
#include <lab.h>

#define TILE 16
#define COARSE 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col0 = blockIdx.x * TILE * COARSE + tx;

    float sum[COARSE] = {0.0f};
    for (int first = 0; first < N; first += TILE) {
        As[ty][tx] = (row < N && first + tx < N) ? A[row * N + first + tx] : 0.0f;
        for (int c = 0; c < COARSE; ++c) {
            int col = col0 + c * TILE;
            Bs[ty][tx] = (first + ty < N && col < N) ? B[(first + ty) * N + col] : 0.0f;
            __syncthreads();
            for (int k = 0; k < TILE; ++k)
                sum[c] += As[ty][k] * Bs[k][tx];
            __syncthreads();
        }
    }
    for (int c = 0; c < COARSE; ++c)
        if (row < N && col0 + c * TILE < N)
            C[row * N + col0 + c * TILE] = sum[c];
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE * COARSE, TILE});
