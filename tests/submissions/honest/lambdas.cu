// expect: ok
// Device lambdas load the tiles and add the products; one takes a lambda as its argument.
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    auto inside = [N](int r, int c) { return r < N && c < N; };
    auto element = [&](const float *matrix, int r, int c) { return inside(r, c) ? matrix[r * N + c] : 0.0f; };
    auto repeat = [](int times, auto action) {
        for (int i = 0; i < times; ++i)
            action(i);
    };

    float sum = 0.0f;
    repeat((N + TILE - 1) / TILE, [&](int step) {
        As[ty][tx] = element(A, row, step * TILE + tx);
        Bs[ty][tx] = element(B, step * TILE + ty, col);
        __syncthreads();
        repeat(TILE, [&](int k) { sum += As[ty][k] * Bs[k][tx]; });
        __syncthreads();
    });
    if (inside(row, col))
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
