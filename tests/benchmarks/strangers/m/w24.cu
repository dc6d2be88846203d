#include <lab.h>

#define ROWS_PER_THREAD 4

// 1 x 4 register blocking, without shared memory
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = (blockIdx.y * 8 + threadIdx.y) * ROWS_PER_THREAD;
    if (col >= N || row >= N) return;

    for (int i = 0; i < ROWS_PER_THREAD; i++) {
        float v = 0.0f;
        for (int k = 0; k < N; k++) {
            v += A[(row + i) * N + k] * B[k * N + col];
        }
        C[(row + i) * N + col] = v;
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8 * ROWS_PER_THREAD});
