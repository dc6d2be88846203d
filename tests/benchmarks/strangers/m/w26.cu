#include <lab.h>
#define FULL 0xffffffffu

// one warp computes one element of C
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int lane = threadIdx.x;
    int row = blockIdx.y;
    int col = blockIdx.x * 8 + threadIdx.y;
    if (col >= N) return;  // the whole warp leaves

    float sum = 0.0f;
    for (int k = lane; k < N; k += 32)
        sum += A[row * N + k] * B[k * N + col];

    for (int d = 8; d > 0; d /= 2)
        sum += __shfl_down_sync(FULL, sum, d);

    if (lane == 0)
        C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {8, 1});
