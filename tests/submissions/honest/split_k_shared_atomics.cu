// expect: ok
// Four groups of threads share the sum over K, and add their parts with atomics in shared memory.
#include <lab.h>

#define TILE 8
#define PARTS 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float total[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y, part = threadIdx.z;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    if (part == 0)
        total[ty][tx] = 0.0f;
    __syncthreads();
    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = part; k < N; k += PARTS)
            sum += A[row * N + k] * B[k * N + col];
        atomicAdd(&total[ty][tx], sum);
    }
    __syncthreads();
    if (part == 0 && row < N && col < N)
        C[row * N + col] = total[ty][tx];
}

LAUNCH(.block = {TILE, TILE, PARTS}, .tile = {TILE, TILE});
