#include <cooperative_groups.h>
#include <lab.h>

namespace cg = cooperative_groups;

#define D 16    /* velikost dlazdice */

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float dA[D][D];
    __shared__ float dB[D][D];

    cg::thread_block blok = cg::this_thread_block();
    cg::thread_block_tile<32> skupina = cg::tiled_partition<32>(blok);

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int radek = blockIdx.y * D + ty;
    const int sloupec = blockIdx.x * D + tx;
    float soucet = 0.0f;

    for (int z = 0; z < N; z += D)
    {
        dA[ty][tx] = (radek < N && z + tx < N) ? A[radek * N + z + tx] : 0.0f;
        dB[ty][tx] = (z + ty < N && sloupec < N) ? B[(z + ty) * N + sloupec] : 0.0f;
        skupina.sync();

        for (int k = 0; k < D; ++k)
            soucet += dA[ty][k] * dB[k][tx];
        blok.sync();
    }

    if (radek < N && sloupec < N)
        C[radek * N + sloupec] = soucet;
}

LAUNCH(.block = {D, D}, .tile = {D, D});
