#include <lab.h>

template <typename T, int ROWS_, int COLS_>
struct Patch
{
    T v[ROWS_][COLS_];

    __device__ void fma(const T (&a)[ROWS_], const T (&b)[COLS_])
    {
#pragma unroll
        for (int r = 0; r < ROWS_; ++r)
#pragma unroll
            for (int c = 0; c < COLS_; ++c)
                v[r][c] += a[r] * b[c];
    }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    constexpr int H = 2, W = 3;
    const int row = (blockIdx.y * blockDim.y + threadIdx.y) * H;
    const int col = (blockIdx.x * blockDim.x + threadIdx.x) * W;

    Patch<float, H, W> acc;
    float a[H], b[W];
    for (int k = 0; k < N; ++k) {
        for (int r = 0; r < H; ++r)
            a[r] = row + r < N ? A[(row + r) * N + k] : 0.0f;
        for (int c = 0; c < W; ++c)
            b[c] = col + c < N ? B[k * N + col + c] : 0.0f;
        acc.fma(a, b);
    }

    for (int r = 0; r < H; ++r)
        for (int c = 0; c < W; ++c)
            if (row + r < N && col + c < N)
                C[(row + r) * N + col + c] = acc.v[r][c];
}

LAUNCH(.block = {16, 16}, .tile = {48, 32});
