#include <lab.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#define COLS 4
#define NTHR 128

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    __shared__ float partial[NTHR / 32];

    const int row = blockIdx.y;
    const int t = threadIdx.x;

    // the whole block works on one element after the other
    for (int c = 0; c < COLS; c++) {
        const int col = blockIdx.x * COLS + c;
        if (col >= N)
            break;

        float s = 0.0f;
        for (int k = t; k < N; k += NTHR)
            s += A[row * N + k] * B[k * N + col];

        for (int d = 16; d > 0; d >>= 1)
            s += warp.shfl_down(s, d);

        if (warp.thread_rank() == 0)
            partial[t / 32] = s;
        block.sync();

        if (t == 0) {
            float total = 0.0f;
            for (int w = 0; w < NTHR / 32; w++)
                total += partial[w];
            C[row * N + col] = total;
        }
    }
}

LAUNCH(.block = {NTHR}, .tile = {COLS, 1});
