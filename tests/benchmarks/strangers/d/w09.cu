#include <lab.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

#define SIDE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float as[SIDE][SIDE];
    __shared__ float bs[SIDE][SIDE];
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);

    const int x = threadIdx.x, y = threadIdx.y;
    const int c = blockIdx.x * SIDE + x, r = blockIdx.y * SIDE + y;
    float acc = 0.0f;
    for (int k0 = 0; k0 < N; k0 += SIDE) {
        as[y][x] = r < N && k0 + x < N ? A[r * N + k0 + x] : 0.0f;
        bs[y][x] = c < N && k0 + y < N ? B[(k0 + y) * N + c] : 0.0f;
        warp.sync();
        for (int k = 0; k < SIDE; ++k)
            acc += as[y][k] * bs[k][x];
        block.sync();
    }
    if (r < N && c < N)
        C[r * N + c] = acc;
}

LAUNCH(.block = {SIDE, SIDE});
