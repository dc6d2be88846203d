#include <lab.h>

template <int H, int W>
struct Tile {
    float v[H][W];
    __device__ void load(const float *M, int r0, int c0, int n)
    {
        for (int y = threadIdx.y; y < H; y += blockDim.y)
            for (int x = threadIdx.x; x < W; x += blockDim.x)
                if (r0 + y < n && c0 + x < n)
                    v[y][x] = M[(r0 + y) * n + c0 + x];
    }
};

template <int S, int D>
__device__ void accumulate(float &sum, const Tile<S, D> &a, const Tile<D, S> &b, int depth)
{
    for (int k = 0; k < depth; ++k)
        sum += a.v[threadIdx.y][k] * b.v[k][threadIdx.x];
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    constexpr int S = 16, D = 40;
    __shared__ Tile<S, D> a;
    __shared__ Tile<D, S> b;
    const int r0 = blockIdx.y * S, c0 = blockIdx.x * S;
    const int r = r0 + threadIdx.y, c = c0 + threadIdx.x;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += D) {
        a.load(A, r0, k0, N);
        b.load(B, k0, c0, N);
        __syncthreads();
        if (r < N && c < N)
            accumulate(sum, a, b, min(D, N - k0));
        __syncthreads();
    }
    if (r < N && c < N)
        C[r * N + c] = sum;
}

LAUNCH(.block = {16, 16});
