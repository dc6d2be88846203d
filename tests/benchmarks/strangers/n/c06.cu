#include <lab.h>

// blockIdx.x counts the rows of blocks here, and the tile is not square.
namespace cfg {
constexpr int rows = 32, columns = 64, depth = 8, threads = 128;
}

extern "C" __global__ void __launch_bounds__(cfg::threads) matmul(const float *A, const float *B, float *C, int N)
{
    using namespace cfg;
    __shared__ float sa[depth][rows];
    __shared__ float sb[depth][columns];
    const int top = blockIdx.x * rows, left = blockIdx.y * columns;
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;

    float acc[4][4];
    for (auto &line : acc)
        for (float &value : line)
            value = 0.0f;

    for (int k0 = 0; k0 < N; k0 += depth) {
        for (int i = threadIdx.x; i < rows * depth; i += threads) {
            const int r = i / depth, k = i % depth;
            sa[k][r] = top + r < N && k0 + k < N ? A[(top + r) * N + k0 + k] : 0.0f;
        }
        for (int i = threadIdx.x; i < depth * columns; i += threads) {
            const int k = i / columns, c = i % columns;
            sb[k][c] = k0 + k < N && left + c < N ? B[(k0 + k) * N + left + c] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < depth; ++k)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    acc[i][j] += sa[k][ty * 4 + i] * sb[k][tx + j * 16];
        __syncthreads();
    }

    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            if (top + ty * 4 + i < N && left + tx + j * 16 < N)
                C[(top + ty * 4 + i) * N + left + tx + j * 16] = acc[i][j];
}

LAUNCH(.block = {cfg::threads}, .tile = {cfg::columns, cfg::rows}, .grid_x = ROWS);
