#include <lab.h>

// One warp per element of C. The lanes split the k loop, then add up with shuffles.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int lane = threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;
    int col = blockIdx.x;

    float sum = 0.0f;
    if (row < N) {
        for (int k = lane; k < N; k += 32)
            sum += A[row * N + k] * B[k * N + col];
    }

    for (int offset = 8; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);

    if (lane == 0 && row < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {1, 8});
