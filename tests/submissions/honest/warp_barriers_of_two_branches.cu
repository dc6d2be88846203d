// expect: ok
// One lane loads a part of a row for its warp; it and the other lanes wait in __syncwarp() calls of their own branches.
#include <lab.h>

#define WARP 32
#define WARPS 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float part[WARPS][WARP];
    int lane = threadIdx.x, warp = threadIdx.y;
    int row = blockIdx.y * WARPS + warp;
    int col = blockIdx.x * WARP + lane;
    if (row >= N)
        return;
    float sum = 0.0f;
    for (int first = 0; first < N; first += WARP) {
        if (lane == 0) {
            for (int k = 0; k < WARP; ++k)
                part[warp][k] = first + k < N ? A[row * N + first + k] : 0.0f;
            __syncwarp();
        } else {
            __syncwarp();
        }
        if (col < N)
            for (int k = 0; k < min(WARP, N - first); ++k)
                sum += part[warp][k] * B[(first + k) * N + col];
        __syncwarp();
    }
    if (col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {WARP, WARPS}, .tile = {WARP, WARPS});
