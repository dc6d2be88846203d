#include <lab.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

#define PART 8
#define ROWS_PB 8
#define COLS_PB 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float result[ROWS_PB][COLS_PB];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<PART> team = cg::tiled_partition<PART>(block);

    const int col = blockIdx.x * COLS_PB + threadIdx.y;
    const int row = blockIdx.y * ROWS_PB + threadIdx.z;
    float sum = 0.0f;
    if (row < N && col < N)
        for (int k = team.thread_rank(); k < N; k += PART)
            sum += A[row * N + k] * B[k * N + col];

    for (int d = PART / 2; d > 0; d >>= 1)
        sum += team.shfl_down(sum, d);
    if (team.thread_rank() == 0)
        result[threadIdx.z][threadIdx.y] = sum;
    block.sync();

    const int r = blockIdx.y * ROWS_PB + threadIdx.y;
    const int c = blockIdx.x * COLS_PB + threadIdx.x;
    if (threadIdx.z == 0 && r < N && c < N)
        C[r * N + c] = result[threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {PART, COLS_PB, ROWS_PB}, .tile = {COLS_PB, ROWS_PB});
