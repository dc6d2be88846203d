#include <lab.h>

#define WARPS 8
#define HEIGHT 2

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float partial[WARPS][HEIGHT][32];

    const int lane = threadIdx.x;
    const int warp = threadIdx.y;
    const int col = blockIdx.x * 32 + lane;
    const int row = blockIdx.y * HEIGHT;

    // every warp takes every blockDim.y-th k
    float s[HEIGHT] = {};
    if (col < N) {
        for (int k = warp; k < N; k += blockDim.y) {
            const float b = B[k * N + col];
            for (int h = 0; h < HEIGHT; ++h)
                if (row + h < N)
                    s[h] += A[(row + h) * N + k] * b;
        }
    }
    for (int h = 0; h < HEIGHT; ++h)
        partial[warp][h][lane] = s[h];
    __syncthreads();

    // the first warps collect
    if (warp < HEIGHT && row + warp < N && col < N) {
        float t = 0.0f;
        for (int w = 0; w < WARPS; ++w)
            t += partial[w][warp][lane];
        C[(row + warp) * N + col] = t;
    }
}

LAUNCH(.block = {32, 4}, .tile = {32, HEIGHT});
