#include <cooperative_groups.h>
#include <lab.h>

namespace cg = cooperative_groups;

#define T 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float mem[];
    cg::thread_block block = cg::this_thread_block();

    float *sa = mem;
    float *sb = mem + T * T;
    const unsigned x = block.thread_index().x;
    const unsigned y = block.thread_index().y;
    const unsigned row = block.group_index().y * T + y;
    const unsigned col = block.group_index().x * T + x;

    float sum = 0.0f;
    for (unsigned k0 = 0; k0 < N; k0 += T) {
        sa[y * T + x] = (row < N && k0 + x < N) ? A[row * N + k0 + x] : 0.0f;
        sb[y * T + x] = (k0 + y < N && col < N) ? B[(k0 + y) * N + col] : 0.0f;

        for (unsigned k = 0; k < T; ++k)
            sum += sa[y * T + k] * sb[k * T + x];
        block.sync();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T}, .shared = 2 * T * T * sizeof(float));
