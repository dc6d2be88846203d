#include <lab.h>

#define ALL 0xffffffffu

// A warp computes 32 neighbouring elements of a row of C.
// Past the end, B's row index is clamped so that the inner loop can be unrolled (always 32 steps).
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    const int row = blockIdx.y * 4 + warp;
    const int col = blockIdx.x * 32 + lane;
    const int colB = col < N ? col : N - 1;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 32) {
        float av;
        if (row < N && k0 + lane < N)
            av = A[row * N + k0 + lane];

#pragma unroll
        for (int j = 0; j < 32; ++j) {
            int kb = k0 + j < N ? k0 + j : N - 1;
            sum += __shfl_sync(ALL, av, j) * B[kb * N + colB];
        }
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {128}, .tile = {32, 4});
