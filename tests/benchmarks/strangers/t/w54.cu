#include <lab.h>

template <int S>
struct Stage {
    float a[S][S];
    float b[S][S];

    __device__ void fill(const float *A, const float *B, int n, int row, int col, int k0)
    {
        const int x = threadIdx.x, y = threadIdx.y;
        a[y][x] = (row < n && k0 + x < n) ? A[row * n + k0 + x] : 0.0f;
        b[y][x] = (col < n && k0 + y < n) ? B[(k0 + y) * n + col] : 0.0f;
    }

    __device__ float dot() const
    {
        float d = 0.0f;
        for (int k = 0; k < S; ++k)
            d += a[threadIdx.y][k] * b[k][threadIdx.x];
        return d;
    }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    constexpr int S = 16;
    __shared__ Stage<S> stage[2];

    const int row = blockIdx.y * S + threadIdx.y;
    const int col = blockIdx.x * S + threadIdx.x;
    int   cur = 0;
    float acc = 0.0f;

    __syncthreads();
    for (int k0 = 0; k0 < N; k0 += S) {
        if (k0 + S < N)
            stage[cur ^ 1].fill(A, B, N, row, col, k0 + S);
        acc += stage[cur].dot();
        __syncthreads();
        cur ^= 1;
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
