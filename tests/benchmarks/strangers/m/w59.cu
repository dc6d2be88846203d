#include <lab.h>

#define WARPS 8

// one warp per element; the partial sums are added in shared memory
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float red[WARPS][32];
    int lane = threadIdx.x, w = threadIdx.y;
    int row = blockIdx.y * WARPS + w, col = blockIdx.x;
    float *mine = red[w];

    float p = 0.0f;
    if (row < N)
        for (int k = lane; k < N; k += 32)
            p += A[row * N + k] * B[k * N + col];
    mine[lane] = p;
    __syncwarp();

    for (int s = 16; s > 0; s >>= 1) {
        if (lane < s) mine[lane] += mine[lane + s];
    }

    if (lane == 0 && row < N)
        C[row * N + col] = mine[0];
}

LAUNCH(.block = {32, WARPS}, .tile = {1, WARPS});
