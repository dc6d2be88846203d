#include <lab.h>

#define TILE 16

__device__ __forceinline__ unsigned smemAddr(const void *p)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// the last operand is the number of bytes that are read, the others are filled with zeros
__device__ __forceinline__ void cpAsync4(float *dst, const float *src, bool valid)
{
    int bytes = valid ? 4 : 0;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(smemAddr(dst)), "l"(src), "r"(bytes) : "memory");
}

__device__ __forceinline__ void cpCommit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

template <int PENDING> __device__ __forceinline__ void cpWait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}

struct Stage {
    float a[TILE][TILE];
    float b[TILE][TILE];
};

__device__ void fetch(Stage &s, const float *A, const float *B, int row, int col, int k0, int N)
{
    int ka = k0 + threadIdx.x, kb = k0 + threadIdx.y;
    bool va = row < N && ka < N, vb = kb < N && col < N;
    cpAsync4(&s.a[threadIdx.y][threadIdx.x], va ? A + row * N + ka : A, va);
    cpAsync4(&s.b[threadIdx.y][threadIdx.x], vb ? B + kb * N + col : B, vb);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Stage stage[2];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    int tiles = (N + TILE - 1) / TILE;
    float sum = 0.0f;

    fetch(stage[0], A, B, row, col, 0, N);
    cpCommit();

    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles) {
            fetch(stage[(t + 1) & 1], A, B, row, col, (t + 1) * TILE, N);
            cpCommit();
        }
        cpWait<1>();
        __syncthreads();

        Stage &s = stage[t & 1];
        for (int k = 0; k < TILE; ++k)
            sum += s.a[threadIdx.y][k] * s.b[k][threadIdx.x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
