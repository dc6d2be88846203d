#include <lab.h>

// No shared memory at all. A warp computes 2 rows x 64 columns; every lane holds one value of each row
// of A for the current 32 values of k and hands it to the others with a shuffle.
namespace
{
constexpr unsigned everyone = 0xffffffffu;
constexpr int rowsPerWarp = 2, colsPerLane = 2, warps = 4;
}

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    const int lane = threadIdx.x;
    const int row = (blockIdx.y * warps + threadIdx.y) * rowsPerWarp;
    const int col = blockIdx.x * 32 * colsPerLane + lane;
    const int col2 = col + 32;

    float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
    for (int base = 0; base < N; base += 32) {
        const bool some = base + lane < N;
        const float a0 = some && row < N ? A[row * N + base + lane] : 0.0f;
        const float a1 = some && row + 1 < N ? A[(row + 1) * N + base + lane] : 0.0f;
        const int steps = min(32, N - base);
        for (int j = 0; j < steps; ++j) {
            const float x0 = __shfl_sync(everyone, a0, j);
            const float x1 = __shfl_sync(everyone, a1, j);
            const float *b = B + (base + j) * N;
            const float y0 = col < N ? b[col] : 0.0f;
            const float y1 = col2 < N ? b[col2] : 0.0f;
            s00 += x0 * y0;
            s01 += x0 * y1;
            s10 += x1 * y0;
            s11 += x1 * y1;
        }
    }

    if (row < N) {
        if (col < N) C[row * N + col] = s00;
        if (col2 < N) C[row * N + col2] = s01;
    }
    if (row + 1 < N) {
        if (col < N) C[(row + 1) * N + col] = s10;
        if (col2 < N) C[(row + 1) * N + col2] = s11;
    }
}

LAUNCH(.block = {32, warps}, .tile = {32 * colsPerLane, warps * rowsPerWarp});
