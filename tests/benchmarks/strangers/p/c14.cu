#include <lab.h>

template <typename T>
struct View {
    T *p;
    int n;
    __device__ bool has(int r, int c) const { return r < n && c < n; }
    __device__ T &operator()(int r, int c) const { return p[r * n + c]; }
};

template <int TILE, int W>
__device__ void multiply(View<const float> a, View<const float> b, View<float> c)
{
    __shared__ float sa[TILE][TILE];
    __shared__ float sb[TILE][TILE * W];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r = blockIdx.y * TILE + ty;
    const int c0 = blockIdx.x * TILE * W + tx;

    float acc[W] = {};
    for (int k0 = 0; k0 < a.n; k0 += TILE) {
        sa[ty][tx] = a.has(r, k0 + tx) ? a(r, k0 + tx) : 0.0f;
#pragma unroll
        for (int w = 0; w < W; ++w) {
            const int cc = c0 + w * TILE;
            sb[ty][tx + w * TILE] = b.has(k0 + ty, cc) ? b(k0 + ty, cc) : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int k = 0; k < TILE; ++k)
#pragma unroll
            for (int w = 0; w < W; ++w)
                acc[w] += sa[ty][k] * sb[k][tx + w * TILE];
        __syncthreads();
    }

    auto store = [&](int w) {
        const int cc = c0 + w * TILE;
        if (c.has(r, cc))
            c(r, cc) = acc[w];
    };
    for (int w = 0; w < W; ++w)
        store(w);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    multiply<16, 2>({A, N}, {B, N}, {C, N});
}

LAUNCH(.block = {16, 16}, .tile = {32, 16});
