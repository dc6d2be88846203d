#include <lab.h>

#define W 32      // one warp per row of the tile
#define ROWS 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[ROWS][W];
    __shared__ float b[W][W];

    const int lane = threadIdx.x, warp = threadIdx.y;
    const int row = blockIdx.y * ROWS + warp;
    const int col = blockIdx.x * W + lane;
    float acc = 0.0f;

    for (int k0 = 0; k0 < N; k0 += W) {
        a[warp][lane] = (row < N && k0 + lane < N) ? A[row * N + k0 + lane] : 0.0f;
        for (int r = warp; r < W; r += ROWS)
            b[r][lane] = (k0 + r < N && col < N) ? B[(k0 + r) * N + col] : 0.0f;
        __syncwarp();      // cheaper than a barrier for the block

        #pragma unroll
        for (int k = 0; k < W; ++k)
            acc += a[warp][k] * b[k][lane];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {W, ROWS}, .tile = {W, ROWS});
