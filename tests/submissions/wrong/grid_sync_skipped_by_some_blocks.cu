// expect: simulator barrier, cuda timeout or barrier; lines: 17
// Transposes B first. The blocks of the last columns of C return before the others wait for the whole grid.
#include <cooperative_groups.h>
#include <lab.h>

__device__ float transposed[1024 * 1024];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row < N && col < N)
        transposed[col * N + row] = B[row * N + col];
    int first = blockIdx.x * 16;
    if (first + 16 > N)
        return;
    grid.sync();
    if (row >= N || col >= N)
        return;
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * transposed[col * N + k];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
