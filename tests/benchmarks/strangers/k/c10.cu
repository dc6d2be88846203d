#include <lab.h>

// Warps that work on their own: each has a private slice of shared memory and needs __syncwarp() only, so that warps
// with nothing to do may leave early.
namespace {
constexpr int WARPS = 4, ROWS_PER_WARP = 8, CHUNK = 32;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float slices[];
    float *mine = slices + threadIdx.y * ROWS_PER_WARP * CHUNK;
    const int lane = threadIdx.x;
    const int row0 = (blockIdx.y * WARPS + threadIdx.y) * ROWS_PER_WARP;
    const int col = blockIdx.x * 32 + lane;
    if (row0 >= N)
        return;

    float acc[ROWS_PER_WARP] = {};
    for (int k0 = 0; k0 < N; k0 += CHUNK) {
        for (int i = 0; i < ROWS_PER_WARP; ++i)
            mine[i * CHUNK + lane] = row0 + i < N && k0 + lane < N ? A[(row0 + i) * N + k0 + lane] : 0.0f;
        __syncwarp();
        if (col < N) {
            const int count = min(CHUNK, N - k0);
            for (int k = 0; k < count; ++k) {
                const float b = B[(k0 + k) * N + col];
#pragma unroll
                for (int i = 0; i < ROWS_PER_WARP; ++i)
                    acc[i] += mine[i * CHUNK + k] * b;
            }
        }
        __syncwarp();
    }

    if (col < N) {
#pragma unroll
        for (int i = 0; i < ROWS_PER_WARP; ++i)
            if (row0 + i < N)
                C[(row0 + i) * N + col] = acc[i];
    }
}

LAUNCH(.block = {32, WARPS}, .tile = {32, WARPS * ROWS_PER_WARP},
       .shared = WARPS * ROWS_PER_WARP * CHUNK * sizeof(float));
