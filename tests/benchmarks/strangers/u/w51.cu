#include <lab.h>

#define T 16
#define SPAN (2 * T)

// 2 x 2 results for each thread, T apart, so that the accesses stay coalesced
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int y0 = blockIdx.y * SPAN + threadIdx.y, y1 = y0 + T;
    const int x0 = blockIdx.x * SPAN + threadIdx.x, x1 = x0 + T;
    float c00 = 0, c01 = 0, c10 = 0, c11 = 0;

    for (int k = 0; k < N; k++) {
        float a0 = y0 < N ? A[y0 * N + k] : 0;
        float a1 = y1 < N ? A[y1 * N + k] : 0;
        float b0 = x0 < N ? B[k * N + x0] : 0;
        float b1 = x1 < N ? B[k * N + x1] : 0;
        c00 += a0 * b0;  c01 += a0 * b1;
        c10 += a1 * b0;  c11 += a1 * b1;
    }

    if (y0 < N && x0 < N) C[y0 * N + x0] = c00;
    if (y0 < N && x1 < N) C[y0 * N + x1] = c01;
    if (y1 < N && x0 < N) C[y1 * N + x0] = c10;
    if (y1 < N && x1 < N) C[y1 * N + x1] = c11;
}

LAUNCH(.block = {16, 16}, .tile = {64, 64});
