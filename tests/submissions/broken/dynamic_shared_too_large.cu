// expect: launch-failed
// Requests 300 KiB of dynamic shared memory, more than a block can have on any device, to keep whole rows of A.
#include <lab.h>

#define TILE 16
#define LONGEST_ROW 4800

extern __shared__ float rows[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    for (int k = threadIdx.x; row < N && k < N; k += TILE)
        rows[threadIdx.y * LONGEST_ROW + k] = A[row * N + k];
    __syncthreads();
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += rows[threadIdx.y * LONGEST_ROW + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE}, .shared = TILE * LONGEST_ROW * sizeof(float));
