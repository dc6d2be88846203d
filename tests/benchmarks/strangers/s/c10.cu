#include <cooperative_groups.h>
#include <lab.h>

namespace cg = cooperative_groups;

/* kazda skupina 16 vlaken ma vlastni radek; nacita a pocita jen ona */
#define D 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float radkyA[D][D + 1];
    __shared__ float dB[D][D];

    auto blok = cg::this_thread_block();
    auto radkova = cg::tiled_partition<16>(blok);

    const int tx = radkova.thread_rank();
    const int ty = threadIdx.y;
    const int radek = blockIdx.y * D + ty;
    const int sloupec = blockIdx.x * D + tx;

    float soucet = 0.0f;
    for (int z = 0; z < N; z += D)
    {
        dB[ty][tx] = (z + ty < N && sloupec < N) ? B[(z + ty) * N + sloupec] : 0.0f;
        blok.sync();

        radkyA[ty][tx] = (radek < N && z + tx < N) ? A[radek * N + z + tx] : 0.0f;
        radkova.sync();     // radek patri jen teto skupine
        for (int k = 0; k < D; ++k)
            soucet += radkyA[ty][k] * dB[k][tx];
        blok.sync();
    }

    if (radek < N && sloupec < N)
        C[radek * N + sloupec] = soucet;
}

LAUNCH(.block = {D, D}, .tile = {D, D});
