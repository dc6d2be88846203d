#include <lab.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <int W>
struct Carreau {
    float v[W][W];
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    constexpr int W = 32;
    __shared__ Carreau<W> ta, tb;

    cg::thread_block bloc = cg::this_thread_block();
    const int lig = blockIdx.y * W + threadIdx.y;
    const int col = blockIdx.x * W + threadIdx.x;
    const int nb_carreaux = N / W;

    float acc = 0.f;
    for (int m = 0; m < nb_carreaux; ++m) {
        const int ka = m * W + threadIdx.x;
        const int kb = m * W + threadIdx.y;
        ta.v[threadIdx.y][threadIdx.x] = (lig < N && ka < N) ? A[lig * N + ka] : 0.f;
        tb.v[threadIdx.y][threadIdx.x] = (col < N && kb < N) ? B[kb * N + col] : 0.f;
        bloc.sync();
        for (int k = 0; k < W; ++k)
            acc += ta.v[threadIdx.y][k] * tb.v[k][threadIdx.x];
        bloc.sync();
    }
    if (lig < N && col < N)
        C[lig * N + col] = acc;
}

LAUNCH(.block = {32, 32}, .tile = {32, 32});
