// expect: data-race; lines: 23; says: need a __threadfence() before the turn ends
// Gives the lock back before its writes are visible to other blocks.
#include <lab.h>
#define T 16
__device__ int locks[64][64];
__device__ int adds[64][64];
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int half = blockIdx.x % 2, tile = blockIdx.x / 2, tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, col = tile * T + tx;
    bool alone = 2 * tile + 1 == gridDim.x, inside = row < N && col < N;
    float sum = 0.0f;
    for (int k = alone ? 0 : half; inside && k < N; k += alone ? 1 : 2)
        sum += A[row * N + k] * B[k * N + col];
    if (tx == 0 && ty == 0) {
        while (atomicCAS(&locks[blockIdx.y][tile], 0, 1) != 0)
            ;
        __threadfence();
    }
    __syncthreads();
    bool first = adds[blockIdx.y][tile] == 0;
    if (inside)
        C[row * N + col] = first ? sum : C[row * N + col] + sum;
    __syncthreads();
    if (tx == 0 && ty == 0) {
        adds[blockIdx.y][tile] = (first && !alone) ? 1 : 0;
        atomicExch(&locks[blockIdx.y][tile], 0);
    }
}
LAUNCH(.block = {T, T}, .tile = {T / 2, T});
