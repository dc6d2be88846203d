#include <lab.h>

#define GROUP 4
#define EDGE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float as[EDGE][EDGE], bs[EDGE][EDGE];

    // Visit the blocks in groups of a few rows, which share more of B in the L2 cache.
    const int id = blockIdx.y * gridDim.x + blockIdx.x;
    const int perGroup = GROUP * gridDim.x;
    const int firstRow = id / perGroup * GROUP;
    const int height = GROUP;
    const int by = firstRow + id % perGroup % height;
    const int bx = id % perGroup / height;

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = by * EDGE + ty, col = bx * EDGE + tx;
    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += EDGE) {
        as[ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
        bs[ty][tx] = col < N && k0 + ty < N ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < EDGE; ++k)
            sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {EDGE, EDGE}, .tile = {EDGE, EDGE});
