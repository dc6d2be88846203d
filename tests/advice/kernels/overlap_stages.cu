// No overlap of loads and arithmetic: 8 x 4 elements per thread. The fixed kernel has three tiles under way.
#include <cuda_pipeline_primitives.h>
#include <lab.h>

#ifdef FIXED
#define STAGES 4
#define COPY(to, from, inside) __pipeline_memcpy_async(to, from, 4, (inside) ? 0 : 4)
#else
#define STAGES 1
#define COPY(to, from, inside) *(to) = (inside) ? *(from) : 0.0f
#endif
#define WIDTH 64
#define HEIGHT 128
#define DEPTH 8

struct Stage {
    float a[DEPTH][HEIGHT + 4], b[DEPTH][WIDTH];
};

__device__ void start(Stage &stage, const float *A, const float *B, int N, int first)
{
    const int t = threadIdx.x;
#pragma unroll
    for (int i = t; i < HEIGHT * DEPTH; i += 256) {
        const int row = blockIdx.y * HEIGHT + i / DEPTH, k = first + i % DEPTH;
        const bool inside = row < N && k < N;
        COPY(&stage.a[i % DEPTH][i / DEPTH], inside ? A + row * N + k : A, inside);
    }
#pragma unroll
    for (int i = t; i < WIDTH * DEPTH; i += 256) {
        const int col = blockIdx.x * WIDTH + i % WIDTH, k = first + i / WIDTH;
        const bool inside = col < N && k < N;
        COPY(&stage.b[i / WIDTH][i % WIDTH], inside ? B + k * N + col : B, inside);
    }
    __pipeline_commit();
}

extern "C" __global__ void __launch_bounds__(256)
    matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ __align__(16) Stage stages[STAGES];
    const int x = threadIdx.x % 16 * 4, y = threadIdx.x / 16 * 8;
    float sum[8][4] = {};
    for (int s = 0; s < STAGES - 1; ++s)
        start(stages[s], A, B, N, s * DEPTH);
    for (int step = 0; step * DEPTH < N; ++step) {
        start(stages[(step + STAGES - 1) % STAGES], A, B, N, (step + STAGES - 1) * DEPTH);
        __pipeline_wait_prior(STAGES - 1);
        __syncthreads();
        const Stage &stage = stages[step % STAGES];
#pragma unroll
        for (int k = 0; k < DEPTH; ++k)
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    sum[i][j] += stage.a[k][y + i] * stage.b[k][x + j];
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int row = blockIdx.y * HEIGHT + y + i, col = blockIdx.x * WIDTH + x + j;
            if (row < N && col < N)
                C[row * N + col] = sum[i][j];
        }
}

LAUNCH(.block = {256}, .tile = {WIDTH, HEIGHT});
