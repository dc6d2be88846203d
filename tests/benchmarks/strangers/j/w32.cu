#include <lab.h>

#define NWARPS 4
#define COLS_PER_WARP 16

// A warp computes one row of the tile. The lanes split k.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float scratch[NWARPS][32];

    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    const int row = blockIdx.y * NWARPS + warp;
    volatile float *v = scratch[warp];

    if (row < N) {
        for (int j = 0; j < COLS_PER_WARP; ++j) {
            const int col = blockIdx.x * COLS_PER_WARP + j;
            float p = 0.0f;
            if (col < N)
                for (int k = lane; k < N; k += 32)
                    p += A[row * N + k] * B[k * N + col];
            v[lane] = p;
            __syncwarp();
            for (int s = 16; s > 0; s /= 2) {
                if (lane < s) v[lane] += v[lane + s];
            }
            if (lane == 0 && col < N)
                C[row * N + col] = v[0];
            __syncwarp();
        }
    }
}

LAUNCH(.block = {32 * NWARPS}, .tile = {COLS_PER_WARP, NWARPS});
