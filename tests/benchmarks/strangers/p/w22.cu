#include <lab.h>

/* Reduction in shared memory, after the well-known slides "Optimizing Parallel Reduction" */
#define NT 64
#define NY 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float red[NY][NT];

    int t = threadIdx.x;
    int y = threadIdx.y;
    int row = blockIdx.y * NY + y;
    int col = blockIdx.x;

    float mine = 0.0f;
    if (row < N)
        for (int k = t; k < N; k += NT)
            mine += A[row * N + k] * B[k * N + col];
    red[y][t] = mine;
    __syncthreads();

    if (t < 32) {
        red[y][t] += red[y][t + 32];
        // the rest is done by one warp
        if (t < 16) red[y][t] += red[y][t + 16];
        if (t <  8) red[y][t] += red[y][t +  8];
        if (t <  4) red[y][t] += red[y][t +  4];
        if (t <  2) red[y][t] += red[y][t +  2];
        if (t <  1) red[y][t] += red[y][t +  1];
    }
    if (t == 0 && row < N)
        C[row * N + col] = red[y][0];
}

LAUNCH(.block = {NT, NY}, .tile = {1, NY});
