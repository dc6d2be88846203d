#include <lab.h>

#define ROWS_ 64
#define COLS 16
#define KB 16

// 16 x 16 threads, every thread computes 4 rows of one column
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[ROWS_][KB];
    __shared__ float Bs[KB][COLS];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * COLS + tx;
    const int y = blockIdx.y * ROWS_ + ty;

    float acc[4] = {};
    for (int k0 = 0; k0 < N; k0 += KB) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            As[ty + 16 * i][tx] = (y + 16 * i < N && k0 + tx < N) ? A[(y + 16 * i) * N + k0 + tx] : 0.0f;
        Bs[ty][tx] = (k0 + ty < N && x < N) ? B[(k0 + ty) * N + x] : 0.0f;
        __syncthreads();
        for (int k = 0; k < KB; ++k)
#pragma unroll
            for (int i = 0; i < 4; ++i)
                acc[i] += As[ty + 16 * i][k] * Bs[k][tx];
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        if (y + 16 * i < N && x < N)
            C[(y + 16 * i) * N + x] = acc[i];
}

LAUNCH(.block = {16, 16}, .tile = {ROWS_, COLS});
