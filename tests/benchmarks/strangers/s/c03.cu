// Lab 5 - CIS 240, rows are picked by blockIdx.x like in the starter file
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    int row = blockIdx.x * 4 + threadIdx.y;
    int col = blockIdx.y * 64 + threadIdx.x;

    if (row >= N) return;
    if (col >= N) return;

    float total = 0.0f;
    int k = 0;
    do {
        total += A[row * N + k] * B[k * N + col];
        k++;
    } while (k < N);
    C[row * N + col] = total;
}

LAUNCH(.block = {64, 4}, .tile = {64, 4}, .grid_x = ROWS);
