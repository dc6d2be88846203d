#include <lab.h>

constexpr int T = 32;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[T][T];
    __shared__ float sb[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r = blockIdx.y * T + ty;
    const int c = blockIdx.x * T + tx;
    const int last = (N - 1) / T;
    float dot = 0.0f;

    for (int t = 0; t <= last; ++t) {
        sa[ty][tx] = r < N && t * T + tx < N ? A[r * N + t * T + tx] : 0.0f;
        sb[ty][tx] = c < N && t * T + ty < N ? B[(t * T + ty) * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; ++k)
            dot = fmaf(sa[ty][k], sb[k][tx], dot);
        if (t != last)
            __syncthreads();
    }
    if (r < N && c < N)
        C[r * N + c] = dot;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
