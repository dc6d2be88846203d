#include <lab.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    constexpr int n = 32;
    __shared__ float As[n][n], Bs[n][n];
    cg::thread_block block = cg::this_thread_block();
    const dim3 t = block.thread_index();
    const dim3 g = block.group_index();
    const unsigned size = N, row = g.y * n + t.y, col = g.x * n + t.x;

    float sum = 0;
    for (unsigned k0 = 0; k0 < size; k0 += n) {
        As[t.y][t.x] = row < size && k0 + t.x < size ? A[row * size + k0 + t.x] : 0;
        Bs[t.y][t.x] = k0 + t.y < size && col < size ? B[(k0 + t.y) * size + col] : 0;
        block.sync();
        for (unsigned k = 0; k < n; ++k)
            sum += As[t.y][k] * Bs[k][t.x];
        block.sync();
    }
    if (row < size && col < size)
        C[row * size + col] = sum;
}

LAUNCH(.block = {32, 32}, .tile = {32, 32});
