#include <utility>
#include <lab.h>

// Unrolled by the compiler through fold expressions instead of pragmas
template <int... J>
using Ints = std::integer_sequence<int, J...>;

constexpr int W = 16;      // threads in x and y, and depth of a step
constexpr int COUNT = 5;   // columns per thread

template <int... J>
__device__ __forceinline__ void fillB(float (&dst)[W][W * COUNT], const float *B, int k, int col0, int n, Ints<J...>)
{
    const int x = threadIdx.x, y = threadIdx.y;
    ((dst[y][x + W * J] = k < n && col0 + x + W * J < n ? B[k * n + col0 + x + W * J] : 0.0f), ...);
}

template <int... J>
__device__ __forceinline__ void step(float (&acc)[COUNT], float a, const float *b, Ints<J...>)
{
    ((acc[J] = fmaf(a, b[W * J], acc[J])), ...);
}

template <int... J>
__device__ __forceinline__ void store(float *C, const float (&acc)[COUNT], int row, int col, int n, Ints<J...>)
{
    ((row < n && col + W * J < n ? void(C[row * n + col + W * J] = acc[J]) : void()), ...);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[W][W];
    __shared__ float b[W][W * COUNT];
    constexpr auto all = std::make_integer_sequence<int, COUNT>{};

    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * W + y;
    const int col0 = blockIdx.x * W * COUNT;
    float acc[COUNT] = {};

    for (int k0 = 0; k0 < N; k0 += W) {
        a[y][x] = row < N && k0 + x < N ? A[row * N + k0 + x] : 0.0f;
        fillB(b, B, k0 + y, col0, N, all);
        __syncthreads();
        for (int k = 0; k < W; ++k)
            step(acc, a[y][k], &b[k][x], all);
        __syncthreads();
    }
    store(C, acc, row, col0 + x, N, all);
}

LAUNCH(.block = {W, W}, .tile = {W * COUNT, W});
