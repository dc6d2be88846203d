#include <lab.h>

template <typename Real, int TS>
struct Tile {
    Real v[TS][TS];
    __device__ void fetch(const Real *src, int n, int r, int c)
    {
        v[threadIdx.y][threadIdx.x] = (r < n && c < n) ? src[r * n + c] : Real(0);
    }
};

// dst = lhs * rhs
template <int TS>
__device__ void gemm(float *dst, const float *lhs, const float *rhs, int n, Tile<float, TS> &ta, Tile<float, TS> &tb)
{
    int r = blockIdx.y * TS + threadIdx.y;
    int c = blockIdx.x * TS + threadIdx.x;
    float acc = 0.0f;
    for (int k = 0; k < n; k += TS) {
        ta.fetch(lhs, n, r, k + threadIdx.x);
        tb.fetch(rhs, n, k + threadIdx.y, c);
        __syncthreads();
        for (int i = 0; i < TS; ++i)
            acc += ta.v[threadIdx.y][i] * tb.v[i][threadIdx.x];
        __syncthreads();
    }
    if (r < n && c < n)
        dst[r * n + c] = acc;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tile<float, 16> ta, tb;
    gemm<16>(C, B, A, N, ta, tb);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
