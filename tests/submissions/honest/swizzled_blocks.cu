// expect: ok
// The blocks are renumbered so that four rows of tiles are computed together: their tiles of B stay in L2.
#include <lab.h>

#define TILE 16
#define GROUP 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
    unsigned in_group = GROUP * gridDim.x;
    unsigned first_row = block / in_group * GROUP;
    unsigned rows = min(GROUP, gridDim.y - first_row);
    int row = (first_row + block % in_group % rows) * TILE + threadIdx.y;
    int col = block % in_group / rows * TILE + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
