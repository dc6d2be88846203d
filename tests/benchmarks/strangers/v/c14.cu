#include <lab.h>

// Few blocks, each walks over the 32 x 32 tiles with the stride of the grid. Tiles are taken along
// diagonals. Two columns and two rows per thread, vec2 where N is even.
typedef float2 vec2;

__device__ inline vec2 row2(const float *B, int k, int col, int N)
{
    if (N % 2 == 0)
        return *reinterpret_cast<const vec2 *>(B + (size_t)k * N + col);
    const float *p = B + (size_t)k * N + col;
    return make_float2(p[0], col + 1 < N ? p[1] : 0.0f);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int side = (N + 31) / 32;
    const int blocks = gridDim.x * gridDim.y;

    for (int t = blockIdx.y * gridDim.x + blockIdx.x; t < side * side; t += blocks) {
        const int ty = t / side;
        const int tx = (t + ty) % side;
        const int col = tx * 32 + 2 * threadIdx.x;
        const int row = ty * 32 + threadIdx.y;
        const int other = row + 16;
        if (row >= N || col >= N)
            continue;

        // the second row may be outside: compute the first one twice then
        const float *a0 = A + (size_t)row * N;
        const float *a1 = other < N ? A + (size_t)other * N : a0;
        vec2 top = make_float2(0.f, 0.f), bottom = make_float2(0.f, 0.f);
        for (int k = 0; k < N; ++k) {
            const vec2 b = row2(B, k, col, N);
            top.x = fmaf(a0[k], b.x, top.x);
            top.y = fmaf(a0[k], b.y, top.y);
            bottom.x = fmaf(a1[k], b.x, bottom.x);
            bottom.y = fmaf(a1[k], b.y, bottom.y);
        }
        C[row * N + col] = top.x;
        if (col + 1 < N) C[row * N + col + 1] = top.y;
        if (other < N) {
            C[other * N + col] = bottom.x;
            if (col + 1 < N) C[other * N + col + 1] = bottom.y;
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {96, 64});
