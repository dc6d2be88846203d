#include <lab.h>

// 32 x 16 threads, tiles of 32 x 32: every thread moves two elements of each tile.
// The next tile is fetched into registers while the present one is in use.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[32][32], sb[32][32];
    const int x = threadIdx.x, y = threadIdx.y;
    const int col = blockIdx.x * 32 + x, top = blockIdx.y * 32;
    float na[2], nb[2];
    float sum[2] = {0.0f, 0.0f};

    auto fromA = [&](int h, int k0) {
        const int r = top + y + 16 * h;
        return r < N && k0 + x < N ? A[r * N + k0 + x] : 0.0f;
    };
    auto fromB = [&](int h, int k0) {
        const int k = k0 + y + 16 * h;
        return k < N && col < N ? B[k * N + col] : 0.0f;
    };

    for (int h = 0; h < 1; ++h)
        na[h] = fromA(h, 0);
    for (int h = 0; h < 2; ++h)
        nb[h] = fromB(h, 0);

    for (int k0 = 0; k0 < N; k0 += 32) {
        for (int h = 0; h < 2; ++h) {
            sa[y + 16 * h][x] = na[h];
            sb[y + 16 * h][x] = nb[h];
        }
        __syncthreads();
        for (int h = 0; h < 2; ++h) {
            na[h] = fromA(h, k0 + 32);
            nb[h] = fromB(h, k0 + 32);
        }
        for (int k = 0; k < 32; ++k)
            for (int h = 0; h < 2; ++h)
                sum[h] += sa[y + 16 * h][k] * sb[k][x];
        __syncthreads();
    }

    for (int h = 0; h < 2; ++h)
        if (top + y + 16 * h < N && col < N)
            C[(top + y + 16 * h) * N + col] = sum[h];
}

LAUNCH(.block = {32, 16}, .tile = {32, 32});
