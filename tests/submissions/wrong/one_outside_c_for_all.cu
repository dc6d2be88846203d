// expect: wrong-answer; says: which condition
// A tile is used only if all threads of the block are inside C.
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int t = 0; t < N; t += TILE) {
        As[ty][tx] = row < N && t + tx < N ? A[row * N + t + tx] : 0.0f;
        Bs[ty][tx] = t + ty < N && col < N ? B[(t + ty) * N + col] : 0.0f;
        if (__syncthreads_and(row < N && col < N))
            for (int k = 0; k < TILE; ++k)
                sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
