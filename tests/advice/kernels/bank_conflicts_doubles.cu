// lab: double
// Shared-memory bank conflicts: a warp reads a column of the transposed tile of B, whose doubles are in one bank pair.
#include <lab.h>

constexpr int TILE = 32;
#ifdef FIXED
constexpr int LINE = TILE + 1;
#else
constexpr int LINE = TILE;
#endif

extern "C" __global__ void matmul(const double *A, const double *B, double *C, int N)
{
    __shared__ double As[TILE][TILE];
    __shared__ double Bs[TILE][LINE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    double sum = 0;
    for (int first = 0; first < N; first += TILE) {
        As[ty][tx] = row < N && first + tx < N ? A[row * N + first + tx] : 0;
        Bs[tx][ty] = first + ty < N && col < N ? B[(first + ty) * N + col] : 0;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[tx][k];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
