#include <lab.h>

// 256 threads for each 16 x 16 tile; a flat index inside the tile
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int r = blockIdx.y * 16 + threadIdx.x / 16;
    int c = blockIdx.x * 16 + threadIdx.x % 16;
    if (r >= N || c >= N) return;
    int idx = r * N + c;
    for (int k = 0; k < N; k++) {
        C[idx] += A[r * N + k] * B[k * N + c];
    }
}

LAUNCH(.block = {256}, .tile = {16, 16});
