#include <lab.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Groups of 8 threads share a row of the tile: each adds every 8th k for 8 columns, then they reduce.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float bt[32][9];
    cg::thread_block block = cg::this_thread_block();
    auto octet = cg::tiled_partition<8>(block);
    const int rank = block.thread_rank();
    const int mine = octet.thread_rank();
    const int row = blockIdx.y * 16 + rank / 8;
    const int col0 = blockIdx.x * 8;

    float s[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    for (int k0 = 0; k0 < N; k0 += 32) {
        for (int e = rank; e < 256; e += 128) {
            int k = k0 + e / 8, c = col0 + e % 8;
            bt[e / 8][e % 8] = k < N && c < N ? B[k * N + c] : 0.0f;
        }
        block.sync();
        for (int k = mine; k < 32; k += 8) {
            float a = row < N && k0 + k < N ? A[row * N + k0 + k] : 0.0f;
            for (int j = 0; j < 8; ++j)
                s[j] += a * bt[k][j];
        }
        block.sync();
    }

    for (int j = 0; j < 8; ++j) {
        for (int d = 4; d > 0; d >>= 1)
            s[j] += octet.shfl_down(s[j], d);
        if (mine == 0 && row < N && col0 + j < N)
            C[row * N + col0 + j] = s[j];
    }
}

LAUNCH(.block = {128}, .tile = {8, 16});
