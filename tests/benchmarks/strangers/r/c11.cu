#include <lab.h>

template <class F>
__device__ __forceinline__ void each(int n, F f)
{
    for (int i = 0; i < n; ++i)
        f(i);
}

struct View {
    const float *p;
    int n;
    __device__ float operator()(int r, int c) const
    {
        return (r < n && c < n) ? p[r * n + c] : 0.0f;
    }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const View a{A, N}, b{B, N};
    const int r0 = 2 * (blockIdx.y * blockDim.y + threadIdx.y);
    const int c0 = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    float s[2][2] = {};

    each(N, [&](int k) {
        each(2, [&](int i) {
            each(2, [&](int j) { s[i][j] += a(r0 + i, k) * b(k, c0 + j); });
        });
    });
    each(2, [&](int i) {
        each(2, [&](int j) {
            if (r0 + i < N && c0 + j < N)
                C[(r0 + i) * N + c0 + j] = s[i][j];
        });
    });
}

LAUNCH(.block = {16, 16}, .tile = {32, 32});
