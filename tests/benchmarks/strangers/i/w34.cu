#include <lab.h>

template <typename T, int S>
struct Tile {
    T v[S][S];
    __device__ T &operator()(int r, int c) { return v[r][c]; }
};

#define S 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tile<float, S> a;
    __shared__ Tile<float, S> b;
    const int x = threadIdx.x, y = threadIdx.y;
    const int i = blockIdx.y * S + y, j = blockIdx.x * S + x;
    float r = 0.f;

    for (int k0 = 0; k0 < N; k0 += S) {
        const bool insideA = i < N && k0 + x < N;
        const bool insideB = j < N && k0 + y < N;
        a(y, x) = insideA ? A[i * N + k0 + x] : 0.f;
        b(y, x) = insideB ? B[(k0 + y) * N + j] : 0.f;

#pragma unroll 8
        for (int k = 0; k < S; ++k)
            r += a(y, k) * b(k, x);
        __syncthreads();
    }
    if (i < N && j < N)
        C[i * N + j] = r;
}

LAUNCH(.block = {S, S}, .tile = {S, S});
