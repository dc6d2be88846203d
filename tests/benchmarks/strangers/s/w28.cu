// Lab 3 - CIS 240, pointer version
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    int row = blockIdx.y * 16 + threadIdx.y;
    int col = blockIdx.x * 16 + threadIdx.x;

    if (row < N && col < N) {
        float *pa = A + row * N;        // walks along the row
        const float *pb = B + col;      // walks down the column
        float total = 0.0f;
        for (int k = 0; k < N; k++) {
            total += *pa * *pb;
            pa += 1;
            pb += N;
        }
        C[row * N + col] = total;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
