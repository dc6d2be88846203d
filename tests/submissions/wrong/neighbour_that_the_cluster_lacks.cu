// expect: simulator out-of-bounds, cuda out-of-bounds or crashed; lines: 23; says: block
// Reads the result from the shared memory of the next block of its cluster, which has one block only.
#include <cooperative_groups.h>
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sums[TILE][TILE];
    auto cluster = cooperative_groups::this_cluster();
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;

    float sum = 0.0f;
    if (row < N && col < N)
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
    sums[threadIdx.y][threadIdx.x] = sum;
    cluster.sync();
    float *result = cluster.map_shared_rank(&sums[threadIdx.y][threadIdx.x], 1);
    if (row < N && col < N)
        C[row * N + col] = *result;
    cluster.sync();
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
