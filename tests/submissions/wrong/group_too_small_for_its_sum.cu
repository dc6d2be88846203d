// expect: data-race; lines: 19, 24; says: __syncwarp() between line 19 and line 24
// Sixteen lanes add up an element in shared memory, but the group that waits has eight lanes.
#include <cooperative_groups.h>
#include <lab.h>

namespace cg = cooperative_groups;

#define LANES 16
#define SUMS 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float parts[SUMS][LANES];
    auto group = cg::tiled_partition<8>(cg::this_thread_block());
    int lane = threadIdx.x, row = blockIdx.y, col = blockIdx.x * SUMS + threadIdx.y;
    float sum = 0.0f;
    for (int k = lane; k < N && col < N; k += LANES)
        sum += A[row * N + k] * B[k * N + col];
    parts[threadIdx.y][lane] = sum;
    group.sync();
    if (lane == 0 && col < N) {
        float total = 0.0f;
        for (int i = 0; i < LANES; ++i)
            total += parts[threadIdx.y][i];
        C[row * N + col] = total;
    }
}

LAUNCH(.block = {LANES, SUMS}, .tile = {SUMS, 1});
