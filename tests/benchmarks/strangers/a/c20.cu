#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    constexpr int T = 16, R = 2;
    __shared__ float sa[R * T][T], sb[T][R * T];

    const int x = threadIdx.x, y = threadIdx.y;
    const int r0 = blockIdx.y * R * T, c0 = blockIdx.x * R * T;
    float acc[R][R] = {};

    auto element = [N](const float *M, int r, int c) { return r < N && c < N ? M[r * N + c] : 0.0f; };
    auto each = [](auto f) {
        for (int i = 0; i < R; ++i)
            f(i);
    };
    auto load = [&](int k0) {
        each([&](int i) {
            sa[y + i * T][x] = element(A, r0 + y + i * T, k0 + x);
            sb[y][x + i * T] = element(B, k0 + y, c0 + x + i * T);
        });
    };
    auto multiply = [&] {
        for (int k = 0; k < T; ++k)
            each([&](int i) { each([&](int j) { acc[i][j] += sa[y + i * T][k] * sb[k][x + j * T]; }); });
    };

    for (int k0 = 0; k0 < N; k0 += T) {
        load(k0);
        __syncthreads();
        multiply();
        __syncthreads();
    }

    each([&](int i) {
        each([&](int j) {
            const int r = r0 + y + i * T, c = c0 + x + j * T;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        });
    });
}

LAUNCH(.block = {16, 16}, .tile = {32, 32});
