#include <lab.h>

// 16 columns per block, 16 threads share the sum of one column (split over k)
#define COLS 16
#define PARTS 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float red[PARTS][COLS];

    int col = blockIdx.x * COLS + threadIdx.x;
    int row = blockIdx.y;
    int part = threadIdx.y;

    float v = 0.0f;
    if (col < N)
        for (int k = part; k < N; k += PARTS)
            v += A[row * N + k] * B[k * N + col];

    red[part][threadIdx.x] = v;
    __syncthreads();

    // 16 -> 8 -> 4 -> 2 -> 1
    for (int s = PARTS / 2; s > 0; s >>= 1) {
        if (part < s)
            red[part][threadIdx.x] += red[part + s][threadIdx.x];
    }

    if (part == 0 && col < N)
        C[row * N + col] = red[0][threadIdx.x];
}

LAUNCH(.block = {COLS, PARTS}, .tile = {COLS, 1});
