// Shared-memory bank conflicts: the tile of B is stored transposed, so that a warp accesses one column of it.
#include <lab.h>

constexpr int TILE = 32;
#ifdef FIXED
constexpr int LINE = TILE + 1;
#else
constexpr int LINE = TILE;
#endif

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][LINE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int first = 0; first < N; first += TILE) {
        As[ty][tx] = row < N && first + tx < N ? A[row * N + first + tx] : 0;
        Bs[tx][ty] = first + ty < N && col < N ? B[(first + ty) * N + col] : 0;
        __syncthreads();
#pragma unroll 1
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[tx][k];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
