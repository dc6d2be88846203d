#include <lab.h>

#define COLS_PER_THREAD 2

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= N)
        return;

    int q = 0;
    while (q < COLS_PER_THREAD) {
        int col = (blockIdx.x * COLS_PER_THREAD + q) * blockDim.x + threadIdx.x;
        if (col >= N)
            continue;

        float s = 0.0f;
        int k = 0;
        while (k < N) {
            s += A[row * N + k] * B[k * N + col];
            ++k;
        }
        C[row * N + col] = s;
        ++q;
    }
}

LAUNCH(.block = {32, 8}, .tile = {32 * COLS_PER_THREAD, 8});
