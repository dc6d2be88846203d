#include <lab.h>

#define T 32
#define HALF 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[T][T], Bs[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int y0 = blockIdx.y * T, x0 = blockIdx.x * T;
    float c00 = 0, c01 = 0, c10 = 0, c11 = 0;

    for (int k0 = 0; k0 < N; k0 += T) {
        for (int dy = 0; dy < T; dy += HALF)
            for (int dx = 0; dx < T; dx += HALF) {
                int y = ty + dy, x = tx + dx;
                As[y][x] = (y0 + y < N && k0 + x < N) ? A[(y0 + y) * N + (k0 + x)] : 0.0f;
                Bs[y][x] = (k0 + y < N && x0 + x < N) ? B[(k0 + y) * N + (x0 + x)] : 0.0f;
            }
        __syncthreads();
        for (int k = 0; k < T; ++k) {
            float a0 = As[ty][k], a1 = As[ty + HALF][k];
            float b0 = Bs[k][tx], b1 = Bs[k][tx + HALF];
            c00 += a0 * b0;  c01 += a0 * b1;
            c10 += a1 * b0;  c11 += a1 * b1;
        }
        __syncthreads();
    }

    const int r0 = y0 + ty, r1 = r0 + HALF;
    const int q0 = x0 + tx, q1 = q0 + HALF;
    if (r0 < N && q0 < N) C[r0 * N + q0] = c00;
    if (r0 < N && q1 < N) C[r0 * N + q1] = c01;
    if (r1 < N && q0 < N) C[r1 * N + q0] = c10;
    if (r1 < N && q1 < N) C[r1 * N + q1] = c11;
}

LAUNCH(.block = {16, 16}, .tile = {64, 64});
