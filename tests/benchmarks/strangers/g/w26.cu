#include <lab.h>

template <int W>
struct Tile {
    float cell[W][W];
    __device__ float &operator()(int r, int c) { return cell[r][c]; }
};

constexpr int W = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tile<W> left;
    __shared__ Tile<W> right;

    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int row = blockIdx.y * W + y;
    const int col = blockIdx.x * W + x;

    auto inside = [N](int r, int c) { return r < N && c < N; };

    float total = 0.0f;
    auto accumulate = [=](float p, float q) mutable { total += p * q; };

    for (int step = 0; step < (N + W - 1) / W; ++step) {
        left(y, x)  = inside(row, step * W + x) ? A[row * N + step * W + x] : 0.0f;
        right(y, x) = inside(step * W + y, col) ? B[(step * W + y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < W; ++k)
            accumulate(left(y, k), right(k, x));
        __syncthreads();
    }

    if (inside(row, col))
        C[row * N + col] = total;
}

LAUNCH(.block = {W, W}, .tile = {W, W});
