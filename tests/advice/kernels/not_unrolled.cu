// A loop that is not unrolled: the compiler is told not to unroll the loop over the tile.
#include <lab.h>

constexpr int TILE = 32;
#ifdef FIXED
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("unroll 1")
#endif

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int first = 0; first < N; first += TILE) {
        As[ty][tx] = row < N && first + tx < N ? A[row * N + first + tx] : 0;
        Bs[ty][tx] = first + ty < N && col < N ? B[(first + ty) * N + col] : 0;
        __syncthreads();
        UNROLL
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
