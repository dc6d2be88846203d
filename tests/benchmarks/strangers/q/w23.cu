#include <lab.h>

#define WARPS 8

// 8 warps per block, every warp reduces one dot product
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float buf[WARPS][64];
    int lane = threadIdx.x;
    int w    = threadIdx.y;
    int col  = blockIdx.x;
    int row  = blockIdx.y * WARPS + w;

    float s = 0.0f;
    if (row < N)
        for (int k = lane; k < N; k += 32)
            s += A[row * N + k] * B[k * N + col];

    buf[w][lane] = s;
    buf[w][lane + 32] = 0.0f;
    __syncthreads();

    for (int step = 16; step >= 1; step /= 2) {
        float other = buf[w][lane + step];
        __syncwarp();
        buf[w][lane] += other;
    }

    if (lane == 0 && row < N)
        C[row * N + col] = buf[w][0];
}

LAUNCH(.block = {32, WARPS}, .tile = {1, WARPS});
