// expect: ok
// Two sets of tiles alternate, so one barrier per step is enough: before a thread overwrites a set, all threads have
// finished reading it at the last barrier.
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    int set = 0;
    for (int first = 0; first < N; first += TILE) {
        As[set][ty][tx] = (row < N && first + tx < N) ? A[row * N + first + tx] : 0.0f;
        Bs[set][ty][tx] = (first + ty < N && col < N) ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[set][ty][k] * Bs[set][k][tx];
        set = 1 - set;
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
