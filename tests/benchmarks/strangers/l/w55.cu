#include <lab.h>

#define FULL_MASK 0xffffffffu

// The lanes of a warp read 32 elements of the row of A together and pass them round.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * 32 + lane;

    if (row >= N || col >= N)
        return;

    float acc = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 32) {
        const float mine = k0 + lane < N ? A[row * N + k0 + lane] : 0.0f;
        for (int j = 0; j < 32; ++j) {
            const float a = __shfl_sync(FULL_MASK, mine, j);
            if (k0 + j < N && col < N)
                acc += a * B[(k0 + j) * N + col];
        }
    }
    if (col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {32, 4}, .tile = {32, 4});
