// expect: ok
// Groups of eight lanes add up an element of C each, by shared memory of their own and the group's sync().
#include <cooperative_groups.h>
#include <lab.h>

namespace cg = cooperative_groups;

#define GROUP 8
#define GROUPS 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float parts[GROUPS][GROUP];
    auto group = cg::tiled_partition<GROUP>(cg::this_thread_block());
    int lane = group.thread_rank(), number = threadIdx.x / GROUP;
    int row = blockIdx.y, col = blockIdx.x * GROUPS + number;
    if (col >= N)
        return;
    float sum = 0.0f;
    for (int k = lane; k < N; k += GROUP)
        sum += A[row * N + k] * B[k * N + col];
    parts[number][lane] = sum;
    group.sync();
    for (int stride = GROUP / 2; stride > 0; stride /= 2) {
        float other = lane < stride ? parts[number][lane + stride] : 0.0f;
        group.sync();
        if (lane < stride)
            parts[number][lane] += other;
        group.sync();
    }
    if (lane == 0)
        C[row * N + col] = parts[number][0];
}

LAUNCH(.block = {GROUP * GROUPS}, .tile = {GROUPS, 1});
