// expect: simulator warp-mask, cuda warp-mask or wrong-answer or timeout; lines: 19
// Names 16 lanes in the mask, although all 32 take part.
#include <lab.h>

#define WARP 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x;
    int lane = threadIdx.x;
    if (row >= N)
        return;

    float sum = 0.0f;
    for (int k = lane; k < N; k += WARP)
        sum += A[row * N + k] * B[k * N + col];
    for (int offset = WARP / 2; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0x0000ffffu, sum, offset);
    if (lane == 0)
        C[row * N + col] = sum;
}

LAUNCH(.block = {WARP, 8}, .tile = {1, 8});
