// 32x32 tiles, 32x8 threads, 4 rows each.
// The next tile is fetched into registers while we compute on the current one.
#include <lab.h>

constexpr int TILE = 32;
constexpr int ROWS_PER_THREAD = 4;
constexpr int STEP = TILE / ROWS_PER_THREAD;

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B,
                                  float *__restrict__ C, int N)
{
    __shared__ float sa[TILE][TILE];
    __shared__ float sb[TILE][TILE];

    int x = threadIdx.x;
    int y = threadIdx.y;
    int col = blockIdx.x * TILE + x;
    int row0 = blockIdx.y * TILE + y;

    float pa[ROWS_PER_THREAD], pb[ROWS_PER_THREAD];
    float acc[ROWS_PER_THREAD] = {};

    auto fetch = [&](int k0) {
        for (int i = 0; i < ROWS_PER_THREAD; ++i) {
            int r = row0 + i * STEP;
            int k = k0 + y + i * STEP;
            pa[i] = (r < N && k0 + x < N) ? A[r * N + k0 + x] : 0.0f;
            pb[i] = (k < N && col < N) ? B[k * N + col] : 0.0f;
        }
    };

    fetch(0);
    for (int k0 = 0; k0 < N; k0 += TILE) {
        // registers -> shared
        for (int i = 0; i < ROWS_PER_THREAD; ++i) {
            sa[y + i * STEP][x] = pa[i];
            sb[y + i * STEP][x] = pb[i];
        }
        __syncthreads();

        fetch(k0 + TILE);  // these loads overlap with the math below

        #pragma unroll
        for (int k = 0; k < TILE; ++k) {
            float b = sb[k][x];
            for (int i = 0; i < ROWS_PER_THREAD; ++i)
                acc[i] += sa[y + i * STEP][k] * b;
        }
    }

    for (int i = 0; i < ROWS_PER_THREAD; ++i) {
        int r = row0 + i * STEP;
        if (r < N && col < N)
            C[r * N + col] = acc[i];
    }
}

LAUNCH(.block = {TILE, STEP}, .tile = {TILE, TILE});
