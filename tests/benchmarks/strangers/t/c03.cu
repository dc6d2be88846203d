#include <lab.h>

constexpr int W     = 32;
constexpr int PITCH = W + 1;

struct Tile {
    float *base;
    __device__ float &operator()(int r, int c) const { return base[r * PITCH + c]; }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float pool[];
    const Tile a{pool};
    const Tile b{pool + W * PITCH};

    const int lx = threadIdx.x, ly = threadIdx.y;
    const int row = blockIdx.y * W + ly, col = blockIdx.x * W + lx;

    float acc = 0.0f;
    for (int k0 = 0; k0 < N; k0 += W) {
        a(ly, lx) = (row < N && k0 + lx < N) ? A[row * N + k0 + lx] : 0.0f;
        b(ly, lx) = (col < N && k0 + ly < N) ? B[(k0 + ly) * N + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < W; ++k)
            acc = fmaf(a(ly, k), b(k, lx), acc);
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {W, W}, .tile = {W, W}, .shared = 2 * W * PITCH * sizeof(float));
