#include <lab.h>

constexpr int BLOCK_X = 32;
constexpr int BLOCK_Y = 8;
constexpr int ROWS_EACH = 8;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int x = blockIdx.x * BLOCK_X + threadIdx.x;
    const int y = blockIdx.y * (BLOCK_Y * ROWS_EACH) + threadIdx.y;
    if (x >= N) return;

    float acc[ROWS_EACH];
    acc[0] = 0.0f;

    for (int k = 0; k < N; ++k) {
        const float b = B[k * N + x];
#pragma unroll
        for (int i = 0; i < ROWS_EACH; ++i) {
            const int r = y + i * BLOCK_Y;
            if (r < N) acc[i] += A[r * N + k] * b;
        }
    }

#pragma unroll
    for (int i = 0; i < ROWS_EACH; ++i) {
        const int r = y + i * BLOCK_Y;
        if (r < N) C[r * N + x] = acc[i];
    }
}

LAUNCH(.block = {BLOCK_X, BLOCK_Y}, .tile = {BLOCK_X, BLOCK_Y * ROWS_EACH});
