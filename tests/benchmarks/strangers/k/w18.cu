#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 16 + threadIdx.y;
    int col0 = blockIdx.x * 64 + threadIdx.x;

    if (row >= N) return;

    float sum[4] = {0, 0, 0, 0};
    for (int k = 0; k < N; k++) {
        float a = A[row * N + k];
        for (int j = 0; j < 4; j++) {
            int col = col0 + 16 * j;
            if (col < N) sum[j] += a * B[k * N + col];
        }
    }
    for (int j = 0; j < 4; j++) {
        int col = col0 + 16 * j;
        if (col < N) C[row * N + col] = sum[j];
    }
}

LAUNCH(.block = {16, 16}, .tile = {64, 16}, .grid_x = ROWS);
