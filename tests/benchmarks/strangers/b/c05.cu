#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    constexpr int T = 16;
    __shared__ float a[T][T], b[T][T];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * T + y;
    const int col = blockIdx.x * T + x;

    const auto inside = [N](int i, int j) { return i < N && j < N; };
    const auto get = [&](const float *m, int i, int j) { return inside(i, j) ? m[i * N + j] : 0.0f; };
    const auto put = [&](int i, int j, float v) {
        if (inside(i, j))
            C[i * N + j] = v;
    };

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += T) {
        a[y][x] = get(A, row, k0 + x);
        b[y][x] = get(B, k0 + y, col);
        __syncthreads();
        for (int k = 0; k < T; ++k)
            sum += a[y][k] * b[k][x];
        __syncthreads();
    }
    put(row, col, sum);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
