#include <lab.h>

#define TILE 16
#define STAGES 3

__device__ __forceinline__ void copy4(float *dst, const float *src, bool valid)
{
    unsigned d = (unsigned)__cvta_generic_to_shared(dst);
    int n = valid ? 4 : 0;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;\n" ::"r"(d), "l"(src), "r"(n) : "memory");
}

struct Tiles {
    float a[TILE][TILE];
    float b[TILE][TILE];
};

struct Job {
    const float *A, *B;
    int row, col, N;

    __device__ void start(Tiles &s, int t) const
    {
        const int x = threadIdx.x, y = threadIdx.y;
        const int ka = t * TILE + x, kb = t * TILE + y;
        const bool va = row < N && ka < N;
        const bool vb = col < N && kb < N;
        copy4(&s.a[y][x], va ? A + row * N + ka : A, va);
        copy4(&s.b[y][x], vb ? B + kb * N + col : B, vb);
    }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tiles stage[STAGES];

    Job job{A, B, int(blockIdx.y * TILE + threadIdx.y), int(blockIdx.x * TILE + threadIdx.x), N};
    const int tiles = (N + TILE - 1) / TILE;

    for (int t = 0; t < STAGES - 1; ++t) {
        if (t < tiles)
            job.start(stage[t], t);
        asm volatile("cp.async.commit_group;\n" ::: "memory");
    }

    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
        asm volatile("cp.async.wait_group 1;\n" ::: "memory");
        __syncthreads();

        const int next = t + STAGES - 1;
        if (next < tiles)
            job.start(stage[next % STAGES], next);
        asm volatile("cp.async.commit_group;\n" ::: "memory");

        const Tiles &s = stage[t % STAGES];
#pragma unroll
        for (int k = 0; k < TILE; ++k)
            sum += s.a[threadIdx.y][k] * s.b[k][threadIdx.x];
    }

    if (job.row < N && job.col < N)
        C[job.row * N + job.col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
