#include <lab.h>

#define LANES 24   // 24 threads share one inner product
#define RB 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float r[RB][LANES];
    const int l = threadIdx.x;
    const int y = threadIdx.y;
    const int row = blockIdx.y * RB + y;

    for (int j = 0; j < 4; ++j) {
        const int col = blockIdx.x * 4 + j;
        float p = 0.0f;
        if (row < N && col < N)
            for (int k = l; k < N; k += LANES) p += A[row * N + k] * B[k * N + col];
        r[y][l] = p;
        __syncthreads();

        // halve the width until one value is left (24, 12, 6, 3, 2, 1)
        for (int width = LANES; width > 0; width = (width + 1) / 2) {
            const int half = (width + 1) / 2;
            if (l < half && l + half < width) r[y][l] += r[y][l + half];
            __syncthreads();
        }

        if (l == 0 && row < N && col < N) C[row * N + col] = r[y][0];
        __syncthreads();
    }
}

LAUNCH(.block = {LANES, RB}, .tile = {4, RB});
