#include <lab.h>

constexpr int TS = 16;
using Tile = float[TS][TS + 1];

// a[y][0] * b[0][x] + ... + a[y][K] * b[K][x], written out by the compiler
template <int K>
__device__ __forceinline__ double fold(const Tile &a, const Tile &b, int y, int x)
{
    if constexpr (K < 0)
        return 0.0;
    else
        return fold<K - 1>(a, b, y, x) + static_cast<double>(a[y][K]) * b[K][x];
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tile a, b;
    const unsigned n = N;
    const unsigned row = blockIdx.y * TS + threadIdx.y;
    const unsigned col = blockIdx.x * TS + threadIdx.x;

    double sum = 0.0;
    for (unsigned t = (n + TS - 1) / TS; t-- > 0;) {      // the last tile first
        const unsigned ka = t * TS + threadIdx.x, kb = t * TS + threadIdx.y;
        a[threadIdx.y][threadIdx.x] = row < n && ka < n ? A[row * n + ka] : 0.0f;
        b[threadIdx.y][threadIdx.x] = kb < n && col < n ? B[kb * n + col] : 0.0f;
        __syncthreads();
        sum += fold<TS - 1>(a, b, threadIdx.y, threadIdx.x);
        __syncthreads();
    }
    if (row < n && col < n)
        C[row * n + col] = static_cast<float>(sum);
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});
