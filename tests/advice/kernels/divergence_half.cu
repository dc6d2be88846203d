// Divergence inside a warp: the lower and the upper half of each warp compute one after the other.
#include <lab.h>

constexpr int TILE = 32;

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
#ifdef FIXED
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
#else
#pragma unroll 1
        for (int half = 0; half < 2; ++half)
            if (tx / 16 == half)
                for (int k = 0; k < TILE; ++k)
                    sum += As[ty][k] * Bs[k][tx];
#endif
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
