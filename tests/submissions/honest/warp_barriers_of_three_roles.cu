// expect: ok
// Eight lanes load the next part of a row while their warp adds up; each of three roles has loops and barriers of its own.
#include <lab.h>

#define WARP 32
#define WARPS 4
#define LOADERS 8

__device__ float added(const float *part, const float *B, int first, int col, int N)
{
    float sum = 0.0f;
    if (col < N)
        for (int k = 0; k < min(WARP, N - first); ++k)
            sum += part[k] * B[(first + k) * N + col];
    return sum;
}

__device__ void load(float *part, const float *row, int first, int lane, int N)
{
    for (int k = lane; k < WARP; k += LOADERS)
        part[k] = first + k < N ? row[first + k] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float part[2][WARPS][WARP];
    int lane = threadIdx.x, warp = threadIdx.y;
    int row = blockIdx.y * WARPS + warp;
    int col = blockIdx.x * WARP + lane;
    if (row >= N)
        return;
    float sum = 0.0f;
    if (lane < LOADERS) {
        load(part[0][warp], A + row * N, 0, lane, N);
        __syncwarp();
        for (int first = 0, now = 0; first < N; first += WARP, now ^= 1) {
            load(part[!now][warp], A + row * N, first + WARP, lane, N);
            sum += added(part[now][warp], B, first, col, N);
            __syncwarp();
        }
    } else if (lane % 2) {
        __syncwarp();
        for (int first = 0, now = 0; first < N; first += WARP, now ^= 1) {
            sum += added(part[now][warp], B, first, col, N);
            __syncwarp();
        }
    } else {
        __syncwarp();
        for (int first = 0; first < N; first += WARP) {
            sum += added(part[first / WARP % 2][warp], B, first, col, N);
            __syncwarp();
        }
    }
    if (col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {WARP, WARPS}, .tile = {WARP, WARPS});
