// expect: simulator warp-mask, cuda warp-mask or wrong-answer or timeout; lines: 16; says: loops that end earlier
// Each lane takes every 32nd k, and the loop has a full shuffle inside: with N = 33 lane 0 makes one round more.
#include <lab.h>

#define WARP 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x, lane = threadIdx.x;
    if (row >= N)
        return;
    float sum = 0.0f;
    for (int k = lane; k < N; k += WARP) {
        float part = A[row * N + k] * B[k * N + col];
        for (int offset = WARP / 2; offset > 0; offset /= 2)
            part += __shfl_xor_sync(0xffffffffu, part, offset);
        sum += part;
    }
    if (lane == 0)
        C[row * N + col] = sum;
}

LAUNCH(.block = {WARP, 8}, .tile = {1, 8});
