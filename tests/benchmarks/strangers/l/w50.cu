#include <lab.h>

// two columns per thread; pairs are loaded as float2 when every row starts at an even index
__device__ __forceinline__ float2 load_pair(const float *p, bool vec, bool second)
{
    if (vec)
        return *reinterpret_cast<const float2 *>(p);
    return make_float2(p[0], second ? p[1] : 0.0f);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= N || col >= N)
        return;

    const bool vec = (N & 1) == 0;
    const bool second = col + 1 < N;
    float2 acc = make_float2(0.0f, 0.0f);
    for (int k = 0; k < N; ++k) {
        const float a = A[row * N + k];
        const float2 b = load_pair(B + k * N + col, vec, second);
        acc.x = fmaf(a, b.x, acc.x);
        acc.y = fmaf(a, b.x, acc.y);
    }

    C[row * N + col] = acc.x;
    if (second)
        C[row * N + col + 1] = acc.y;
}

LAUNCH(.block = {32, 8}, .tile = {64, 8});
