#include <lab.h>

#define PAD 1    // against bank conflicts
#define COLS 64
#define DEPTH 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[DEPTH][DEPTH];
    __shared__ __align__(16) float sB[DEPTH][COLS + PAD];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * DEPTH + ty;
    const int col = blockIdx.x * COLS + 4 * tx;
    float4 c = {0, 0, 0, 0};

    for (int k0 = 0; k0 < N; k0 += DEPTH) {
        sA[ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0;
        for (int j = 0; j < 4; j++)
            sB[ty][4 * tx + j] = (k0 + ty < N && col + j < N) ? B[(k0 + ty) * N + col + j] : 0;
        __syncthreads();
        for (int k = 0; k < DEPTH; k++) {
            float a = sA[ty][k];
            float4 b = *(const float4 *)&sB[k][4 * tx];
            c.x += a * b.x;
            c.y += a * b.y;
            c.z += a * b.z;
            c.w += a * b.w;
        }
        __syncthreads();
    }

    if (row < N) {
        if (col     < N) C[row * N + col    ] = c.x;
        if (col + 1 < N) C[row * N + col + 1] = c.y;
        if (col + 2 < N) C[row * N + col + 2] = c.z;
        if (col + 3 < N) C[row * N + col + 3] = c.w;
    }
}

LAUNCH(.block = {16, 16}, .tile = {COLS, DEPTH});
