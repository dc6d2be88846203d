// Blocks that compute outside C: at N = 1284, tiles of 128 x 64 cover 1408 x 1344 elements.
// size: 1284
#include <lab.h>

#ifdef FIXED
constexpr int RESULTS = 2;
#else
constexpr int RESULTS = 16;  // elements of C in a column that a thread computes
#endif
constexpr int WIDTH = 64, HEIGHT = 8, TILE = HEIGHT * RESULTS;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int first = blockIdx.y * TILE + threadIdx.y * RESULTS, col = blockIdx.x * WIDTH + threadIdx.x;
    float sum[RESULTS] = {};
    for (int k = 0; k < N; ++k) {
        const float b = B[k * N + min(col, N - 1)];
#pragma unroll
        for (int i = 0; i < RESULTS; ++i)
            sum[i] += A[min(first + i, N - 1) * N + k] * b;
    }
#pragma unroll
    for (int i = 0; i < RESULTS; ++i)
        if (first + i < N && col < N)
            C[(first + i) * N + col] = sum[i];
}

LAUNCH(.block = {WIDTH, HEIGHT}, .tile = {WIDTH, TILE});
