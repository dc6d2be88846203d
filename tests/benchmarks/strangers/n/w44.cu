#include <lab.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[32][32];
    __shared__ float sB[32][32];

    auto group = cg::tiled_partition<32>(cg::this_thread_block());
    const unsigned lane = threadIdx.x;
    const unsigned line = threadIdx.y;
    const int row = blockIdx.y * 32 + line;
    const int col = blockIdx.x * 32 + lane;

    float acc = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 32) {
        sA[line][lane] = (row < N && k0 + (int)lane < N) ? A[row * N + k0 + lane] : 0.0f;
        sB[line][lane] = (k0 + (int)line < N && col < N) ? B[(k0 + line) * N + col] : 0.0f;
        group.sync();
        for (int k = 0; k < 32; ++k)
            acc += sA[line][k] * sB[k][lane];
        group.sync();
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {32, 32}, .tile = {32, 32});
