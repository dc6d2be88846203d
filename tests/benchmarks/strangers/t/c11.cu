#include <lab.h>

// Shared tiles and coarsening, written with templates: every thread owns R rows of a column.
template <int TILE, int R>
__device__ void multiply(const float *A, const float *B, float *C, int N, float (*sa)[TILE], float (*sb)[TILE])
{
    const int tx = threadIdx.x, ty = threadIdx.y;
    constexpr int STEP = TILE / R;
    const int col = blockIdx.x * TILE + tx;
    const int top = blockIdx.y * TILE;

    float acc[R];
    for (auto &a : acc)
        a = 0.f;

    auto at = [N](const float *M, int r, int c) { return r < N && c < N ? M[r * N + c] : 0.f; };
    auto each = [&](auto &&body) {
        #pragma unroll
        for (int i = 0; i < R; ++i)
            body(i, ty + i * STEP);
    };

    for (int k0 = 0; k0 < N; k0 += TILE) {
        each([&](int, int y) {
            sa[y][tx] = at(A, top + y, k0 + tx);
            sb[y][tx] = at(B, k0 + y, col);
        });
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            each([&](int i, int y) { acc[i] += sa[y][k] * sb[k][tx]; });
        __syncthreads();
    }

    each([&](int i, int y) {
        if (top + y < N && col < N)
            C[(top + y) * N + col] = acc[i];
    });
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[32][32], sb[32][32];
    multiply<32, 4>(A, B, C, N, sa, sb);
}

LAUNCH(.block = {32, 8}, .tile = {32, 32});
