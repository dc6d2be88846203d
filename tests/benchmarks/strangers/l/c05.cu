// Persistent blocks: at most 264 blocks work, each on every 264th tile, in a snake along the rows of tiles.
#include <lab.h>

namespace
{
constexpr int T = 16;
constexpr int WORKERS = 264;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int tilesX = (N + T - 1) / T;
    const int tiles = tilesX * tilesX;
    const int workers = min(WORKERS, tiles);
    const int me = blockIdx.y * gridDim.x + blockIdx.x;
    if (me >= workers)
        return;

    __shared__ float a[T][T], b[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;

    for (int tile = me; tile < tiles; tile += workers) {
        const int by = tile / tilesX;
        const int at = tile % tilesX;
        const int bx = by % 2 ? tilesX - 1 - at : at;
        const int row = by * T + ty, col = bx * T + tx;

        float sum = 0.0f;
        for (int k0 = 0; k0 < N; k0 += T) {
            __syncthreads();
            a[ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
            b[ty][tx] = col < N && k0 + ty < N ? B[(k0 + ty) * N + col] : 0.0f;
            __syncthreads();
            for (int k = 0; k < T; ++k)
                sum += a[ty][k] * b[k][tx];
        }
        if (row < N && col < N)
            C[row * N + col] = sum;
    }
}

LAUNCH(.block = {T, T}, .tile = {T, T});
