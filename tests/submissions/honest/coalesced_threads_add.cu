// expect: ok
// The lanes that have a product of their own form a group, which adds by one atomic of its first thread.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <lab.h>

namespace cg = cooperative_groups;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sum;
    int row = blockIdx.y, col = blockIdx.x;
    if (threadIdx.x == 0)
        sum = 0.0f;
    __syncthreads();
    for (int first = 0; first < N; first += blockDim.x) {
        int k = first + threadIdx.x;
        if (k < N) {
            auto active = cg::coalesced_threads();
            float part = A[row * N + k] * B[k * N + col];
            for (int offset = 16; offset > 0; offset /= 2) {
                float other = active.shfl_down(part, offset);
                if (active.thread_rank() + offset < active.size())
                    part += other;
            }
            if (active.thread_rank() == 0)
                atomicAdd(&sum, part);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        C[row * N + col] = sum;
}

LAUNCH(.block = {128}, .tile = {1, 1});
