// expect: unset-memory; lines: 21; says: before any thread has written it
// Every second thread sets its flag, and the others rely on the flags that nobody has set being different from zero.
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ unsigned char inside[TILE * TILE];
    int thread = threadIdx.y * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (thread % 2 == 0)
        inside[thread] = 1;
    __syncthreads();
    if (row >= N || col >= N)
        return;
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = inside[thread] ? sum : 0.0f;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
