#include <lab.h>

#define ROWS_PER_BLOCK 8
#define FULL 0xffffffffu

// No shared memory: each lane holds one element of A, the warp passes it around.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int lane = threadIdx.x;
    int row = blockIdx.y * ROWS_PER_BLOCK + threadIdx.y;
    int col = blockIdx.x * 32 + lane;
    float acc = 0.0f;

    for (int k0 = 0; k0 < N; k0 += 32) {
        float mine = (row < N && k0 + lane < N) ? A[row * N + k0 + lane] : 0.0f;
        for (int k = 0; k < 32; ++k) {
            float a = __shfl_sync(FULL, mine, k, 16);
            if (k0 + k < N && col < N)
                acc += a * B[(k0 + k) * N + col];
        }
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {32, ROWS_PER_BLOCK}, .tile = {32, ROWS_PER_BLOCK});
