#include <lab.h>

namespace cfg {
constexpr int T = 32;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    using cfg::T;
    // XOR swizzle instead of padding
    __shared__ float As[T][T];
    __shared__ float Bs[T][T];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * T + ty;
    const int col = blockIdx.x * T + tx;

    float r = 0.0f;
    for (int p = 0; p < N; p += T) {
        As[ty][tx ^ ty] = row < N && p + tx < N ? A[row * N + (p + tx)] : 0.0f;
        Bs[ty][tx ^ ty] = p + ty < N && col < N ? B[(p + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; ++k) {
            const float a = As[ty][k ^ ty];
            const float b = Bs[k][tx ^ ty];
            r = fmaf(a, b, r);
        }
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = r;
}

LAUNCH(.block = {cfg::T, cfg::T}, .tile = {cfg::T, cfg::T});
