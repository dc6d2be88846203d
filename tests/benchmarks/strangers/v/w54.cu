#include <lab.h>

template <int X, int Y>
struct WorkGroup {
    static constexpr int SIZE_X = X;
    static constexpr int SIZE_Y = Y;
    static constexpr int TILE = X;
    static constexpr int PER_THREAD = X / Y;
};
using Wg = WorkGroup<32, 8>;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float ta[Wg::TILE][Wg::TILE];
    __shared__ float tb[Wg::TILE][Wg::TILE];

    const int lx = threadIdx.x;
    const int ly = threadIdx.y;
    const int col = blockIdx.x * Wg::TILE + lx;
    const int rowTop = blockIdx.y * Wg::TILE;

    float acc[Wg::PER_THREAD];
    for (float &a : acc) a = 0.0f;

    for (int k0 = 0; k0 < N; k0 += Wg::TILE) {
        for (int i = 0; i < Wg::PER_THREAD; ++i) {
            const int y = ly + i * Wg::SIZE_Y;
            ta[y][lx] = (rowTop + y < N && k0 + lx < N) ? A[(rowTop + y) * N + k0 + lx] : 0.0f;
            tb[y][lx] = (k0 + y < N && col < N) ? B[(k0 + y) * N + col] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < Wg::TILE; ++k)
            for (int i = 0; i < Wg::PER_THREAD; ++i)
                acc[i] += ta[ly + i * Wg::SIZE_Y][k] * tb[k][lx];
        __syncthreads();
    }

    for (int i = 0; i < Wg::PER_THREAD; ++i) {
        const int row = rowTop + ly + i * Wg::SIZE_Y;
        if (row < N && col < N)
            C[row * N + col] = acc[i];
    }
}

LAUNCH(.block = {Wg::SIZE_Y, Wg::SIZE_X}, .tile = {Wg::TILE, Wg::TILE});
