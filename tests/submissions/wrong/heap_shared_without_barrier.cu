// expect: data-race; lines: 24, 27; says: between line 24 and line 27
// Keeps the parts of a warp's sum in memory from malloc(), which the first lane reads without waiting for the others.
#include <lab.h>

#define WARP 32
#define WARPS 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float *parts;
    int lane = threadIdx.x, warp = threadIdx.y;
    int row = blockIdx.y * WARPS + warp;
    int col = blockIdx.x;

    if (lane == 0 && warp == 0)
        parts = (float *)malloc(WARP * WARPS * sizeof(float));
    __syncthreads();

    float part = 0.0f;
    if (row < N)
        for (int k = lane; k < N; k += WARP)
            part += A[row * N + k] * B[k * N + col];

    parts[warp * WARP + lane] = part;
    float sum = 0.0f;
    for (int other = 0; other < WARP; ++other)
        sum += parts[warp * WARP + other];
    if (lane == 0 && row < N)
        C[row * N + col] = sum;

    __syncthreads();
    if (lane == 0 && warp == 0)
        free(parts);
}

LAUNCH(.block = {WARP, WARPS}, .tile = {1, WARPS});
