/*
 * Lab: matrix multiplication
 *
 * 16 x 16 threads. A thread computes three elements below each other, so that a value of B is used three times.
 * The x direction of the grid runs along the rows, because the grid is limited to 65535 in y.
 */
#include <lab.h>

#define BR 48
#define BC 16
#define BK 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[BR][BK];
    __shared__ float b[BK][BC];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r0 = blockIdx.x * BR;
    const int col = blockIdx.y * BC + tx;
    float s0 = 0, s1 = 0, s2 = 0;

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int y = ty; y < BR; y += 16)
            a[y][tx] = r0 + y < N && k0 + tx < N ? A[(r0 + y) * N + k0 + tx] : 0;
        b[ty][tx] = col < N && k0 + ty < N ? B[(k0 + ty) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < BK; ++k) {
            const float f = b[k][tx];
            s0 += a[ty][k] * f;
            s1 += a[ty + 16][k] * f;
            s2 += a[ty + 32][k] * f;
        }
        __syncthreads();
    }

    if (col < N) {
        if (r0 + ty < N) C[(r0 + ty) * N + col] = s0;
        if (r0 + ty + 16 < N) C[(r0 + ty + 16) * N + col] = s1;
        if (r0 + ty + 32 < N) C[(r0 + ty + 32) * N + col] = s2;
    }
}

LAUNCH(.block = {16, 16}, .tile = {BC, BR}, .grid_x = ROWS);
