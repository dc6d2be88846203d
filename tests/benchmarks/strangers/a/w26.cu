#include <lab.h>

#define COLS 32
#define PARTS 8

// 8 warps share the sums of 32 neighbouring elements
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float red[PARTS][COLS];

    int lane = threadIdx.x;
    int part = threadIdx.y;
    int row = blockIdx.y;
    int col = blockIdx.x * COLS + lane;

    float s = 0;
    if (col < N) {
        for (int k = part; k < N; k += PARTS)
            s += A[row * N + k] * B[k * N + col];
    }
    red[part][lane] = s;
    __syncthreads();

    for (int step = PARTS / 2; step > 0; step >>= 1) {
        if (part < step)
            red[part][lane] += red[part + step][lane];
    }

    if (part == 0 && col < N)
        C[row * N + col] = red[0][lane];
}

LAUNCH(.block = {COLS, PARTS}, .tile = {COLS, 1});
