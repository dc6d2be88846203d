// No overlap of loads and arithmetic: FIXED loads the next tile into registers before it computes with this one.
#include <lab.h>

constexpr int TILE = 128, DEPTH = 8, SIDE = 8, THREADS = 256, WORDS = TILE * DEPTH / THREADS;

extern "C" __global__ void __launch_bounds__(THREADS)
    matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ float4 As[DEPTH][TILE / 4 + 1], Bs[DEPTH][TILE / 4];
    const int thread = threadIdx.x, x = thread % (TILE / SIDE), y = thread / (TILE / SIDE);
    const int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    float sum[SIDE][SIDE] = {}, a[WORDS], b[WORDS];
    const auto load = [&](int first) {
#pragma unroll
        for (int i = 0; i < WORDS; ++i) {
            const int n = thread + i * THREADS, row = row0 + n / DEPTH, k = first + n % DEPTH;
            a[i] = row < N && k < N ? A[row * N + k] : 0.0f;
            b[i] = first + n / TILE < N && col0 + n % TILE < N ? B[(first + n / TILE) * N + col0 + n % TILE] : 0.0f;
        }
    };
    const auto store = [&] {
#pragma unroll
        for (int i = 0; i < WORDS; ++i) {
            const int n = thread + i * THREADS;
            reinterpret_cast<float *>(As[n % DEPTH])[n / DEPTH] = a[i];
            reinterpret_cast<float *>(Bs[n / TILE])[n % TILE] = b[i];
        }
    };
    load(0);
    for (int first = 0; first < N; first += DEPTH) {
#ifndef FIXED
        if (first)
            load(first);
#endif
        store();
        __syncthreads();
#ifdef FIXED
        load(first + DEPTH);
#endif
#pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            const float4 a0 = As[k][2 * y], a1 = As[k][2 * y + 1], b0 = Bs[k][x], b1 = Bs[k][x + TILE / 8];
            const float left[] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
            const float right[] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
            for (int i = 0; i < SIDE; ++i)
#pragma unroll
                for (int j = 0; j < SIDE; ++j)
                    sum[i][j] += left[i] * right[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < SIDE; ++i)
#pragma unroll
        for (int j = 0; j < SIDE; ++j) {
            const int row = row0 + y * SIDE + i, col = col0 + j / 4 * (TILE / 2) + x * 4 + j % 4;
            if (row < N && col < N)
                C[row * N + col] = sum[i][j];
        }
}

LAUNCH(.block = {THREADS}, .tile = {TILE, TILE});
