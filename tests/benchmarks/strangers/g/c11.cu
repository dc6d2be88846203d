#include <lab.h>
#include <cuda_pipeline.h>

#define TILE 32
#define LINES 8
#define STAGES 3

struct Buffers {
    float a[STAGES][TILE][TILE];
    float b[STAGES][TILE][TILE];
};

__device__ __forceinline__ void async_or_zero(float *to, const float *base, int r, int c, int n)
{
    const bool in = r < n && c < n;
    // the last argument is the number of bytes that are filled with zeros instead
    __pipeline_memcpy_async(to, in ? base + r * n + c : base, 4, in ? 0 : 4);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Buffers buf;

    const int x = threadIdx.x, y = threadIdx.y;
    const int col = blockIdx.x * TILE + x;
    const int row = blockIdx.y * TILE + y;
    const int tiles = (N + TILE - 1) / TILE;

    auto request = [&](int t) {
        if (t < tiles)
            for (int i = 0; i < TILE; i += LINES) {
                async_or_zero(&buf.a[t % STAGES][y + i][x], A, row + i, t * TILE + x, N);
                async_or_zero(&buf.b[t % STAGES][y + i][x], B, t * TILE + y + i, col, N);
            }
        __pipeline_commit();    // also empty groups, so that the count below is right at the end
    };

    for (int t = 0; t < STAGES - 1; ++t)
        request(t);

    float acc[TILE / LINES] = {};
    for (int t = 0; t < tiles; ++t) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();        // tile t is there, and everybody is done with tile t - 1
        request(t + STAGES - 1);

        for (int k = 0; k < TILE; ++k)
            for (int i = 0; i < TILE / LINES; ++i)
                acc[i] += buf.a[t % STAGES][y + i * LINES][k] * buf.b[t % STAGES][k][x];
    }

    for (int i = 0; i < TILE / LINES; ++i)
        if (row + i * LINES < N && col < N)
            C[(row + i * LINES) * N + col] = acc[i];
}

LAUNCH(.block = {TILE, LINES}, .tile = {TILE, TILE});
