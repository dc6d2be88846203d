#include <lab.h>

#ifndef BW
#define BW 32
#endif
#ifndef BH
#define BH 8
#endif

// coalesced: threadIdx.x selects the column
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * BW + threadIdx.x;
    int row = blockIdx.y * BH + threadIdx.y;

    if (row < N && col < N) {
        float sum = 0.0f;
#pragma unroll 4
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {BW, BH}, .tile = {BW, BH}, .grid_x = ROWS);
