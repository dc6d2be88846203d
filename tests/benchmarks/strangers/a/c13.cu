#include <lab.h>

#define COLUMNS_PER_BLOCK 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x;
    const int row = blockIdx.y * 32 + lane;
    const int col = blockIdx.x * COLUMNS_PER_BLOCK + threadIdx.y;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 32) {
        const int k = k0 + lane;
        const float b = k < N && col < N ? B[k * N + col] : 0.0f;
        const int steps = min(32, N - k0);
        for (int i = 0; i < steps; ++i) {
            const float bi = __shfl_sync(0xffffffff, b, i);
            if (row < N)
                sum += A[row * N + k0 + i] * bi;
        }
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {32, COLUMNS_PER_BLOCK}, .tile = {COLUMNS_PER_BLOCK, 32});
