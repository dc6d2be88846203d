// lab: double
// No overlap of loads and arithmetic: a tile of doubles is loaded, then used. The fixed kernel copies the next tile meanwhile.
#include <cuda_pipeline_primitives.h>
#include <lab.h>

constexpr int SIDE = 16, HIGH = 8, TILE = SIDE * HIGH, DEPTH = 8, LINE = TILE + 2;

__device__ int place(int thread, int i) { return i / 2 * 2 * SIDE + thread * 2 + i % 2; }

__device__ void fetch(double *to, const double *from, bool inside)
{
#ifdef FIXED
    __pipeline_memcpy_async(to, from, sizeof(double), inside ? 0 : sizeof(double));
#else
    *to = inside ? *from : 0;
#endif
}

extern "C" __global__ void __launch_bounds__(SIDE *SIDE) matmul(const double *A, const double *B, double *C, int N)
{
    __shared__ __align__(16) double As[2][DEPTH][LINE], Bs[2][DEPTH][LINE];
    const int thread = threadIdx.x, tx = thread % SIDE, ty = thread / SIDE;
    const int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    double sum[HIGH][HIGH] = {};
    const auto load = [&](int first, int stage) {
#pragma unroll
        for (int i = thread; i < TILE * DEPTH; i += SIDE * SIDE) {
            const int row = row0 + i / DEPTH, ka = first + i % DEPTH, col = col0 + i % TILE, kb = first + i / TILE;
            const bool in_a = row < N && ka < N, in_b = col < N && kb < N;
            fetch(&As[stage][i % DEPTH][i / DEPTH], in_a ? &A[row * N + ka] : A, in_a);
            fetch(&Bs[stage][i / TILE][i % TILE], in_b ? &B[kb * N + col] : B, in_b);
        }
        __pipeline_commit();
    };
    int stage = 0;
#ifdef FIXED
    load(0, 0);
#endif
    for (int first = 0; first < N; first += DEPTH) {
#ifdef FIXED
        __pipeline_wait_prior(0);
        __syncthreads();
        if (first + DEPTH < N)
            load(first + DEPTH, 1 - stage);
#else
        load(first, stage);
        __syncthreads();
#endif
#pragma unroll
        for (int k = 0; k < DEPTH; ++k)
#pragma unroll
            for (int i = 0; i < HIGH * HIGH; ++i)
                sum[i / HIGH][i % HIGH] += As[stage][k][place(ty, i / HIGH)] * Bs[stage][k][place(tx, i % HIGH)];
#ifdef FIXED
        stage = 1 - stage;
#else
        __syncthreads();
#endif
    }
#pragma unroll
    for (int i = 0; i < HIGH * HIGH; ++i) {
        const int row = row0 + place(ty, i / HIGH), col = col0 + place(tx, i % HIGH);
        if (row < N && col < N)
            C[row * N + col] = sum[i / HIGH][i % HIGH];
    }
}

LAUNCH(.block = {SIDE * SIDE}, .tile = {TILE, TILE});
