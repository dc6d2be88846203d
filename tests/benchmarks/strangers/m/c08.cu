#include <lab.h>

#define WARPS 4
#define ROWS_EACH 4

// Every warp has its own piece of shared memory, and waits for nobody else.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float rows[WARPS][ROWS_EACH][32];

    const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
    const int col = blockIdx.x * 32 + lane;
    const int row = (blockIdx.y * WARPS + w) * ROWS_EACH;
    if (row >= N) return;  // the same in the whole warp

    float s[ROWS_EACH] = {};
    for (int k0 = 0; k0 < N; k0 += 32) {
        for (int i = 0; i < ROWS_EACH; ++i)
            rows[w][i][lane] = row + i < N && k0 + lane < N ? A[(row + i) * N + k0 + lane] : 0.0f;
        __syncwarp();
        const int count = min(32, N - k0);
        if (col < N)
            for (int k = 0; k < count; ++k) {
                const float b = B[(k0 + k) * N + col];
                for (int i = 0; i < ROWS_EACH; ++i)
                    s[i] += rows[w][i][k] * b;
            }
        __syncwarp();
    }
    if (col < N)
        for (int i = 0; i < ROWS_EACH && row + i < N; ++i)
            C[(row + i) * N + col] = s[i];
}

LAUNCH(.block = {32 * WARPS}, .tile = {32, WARPS * ROWS_EACH});
