#include <lab.h>

// 16 x 16 threads, two columns and two rows each, half a tile apart
#define HALF 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int c0 = blockIdx.x * (2 * HALF) + threadIdx.x;
    int r0 = blockIdx.y * (2 * HALF) + threadIdx.y;
    int c1 = c0 + HALF;
    int r1 = r0 + HALF;

    float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
    for (int k = 0; k < N; k++) {
        float a0 = r0 < N ? A[r0 * N + k] : 0;
        float a1 = r1 < N ? A[r1 * N + k] : 0;
        float b0 = c0 < N ? B[k * N + c0] : 0;
        float b1 = c1 < N ? B[k * N + c1] : 0;
        s00 += a0 * b0;
        s01 += a0 * b1;
        s10 += a1 * b0;
        s11 += a1 * b1;
    }
    if (r0 < N && c0 < N) C[r0 * N + c0] = s00;
    if (r0 < N && c1 < N) C[r0 * N + c1] = s01;
    if (r1 < N && c0 < N) C[r1 * N + c0] = s10;
    if (r1 < N && c1 < N) C[r1 * N + c1] = s11;
}

LAUNCH(.block = {HALF, HALF}, .tile = {4 * HALF, 4 * HALF});
