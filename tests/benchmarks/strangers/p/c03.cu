#include <lab.h>

#define FULL 0xffffffffu

/* One warp per row piece: 32 lanes split k, 4 columns at once */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col0 = blockIdx.x * 4;

    if (row >= N)           // uniform for the warp
        return;

    float v[4] = {0, 0, 0, 0};
    for (int k = lane; k < N; k += 32) {
        const float a = A[row * N + k];
        for (int q = 0; q < 4; ++q)
            if (col0 + q < N)
                v[q] += a * B[k * N + col0 + q];
    }

    for (int q = 0; q < 4; ++q)
        for (int d = 16; d; d >>= 1)
            v[q] += __shfl_xor_sync(FULL, v[q], d);

    if (lane < 4 && col0 + lane < N) {
        float mine = v[0];
        if (lane == 1) mine = v[1];
        if (lane == 2) mine = v[2];
        if (lane == 3) mine = v[3];
        C[row * N + col0 + lane] = mine;
    }
}

LAUNCH(.block = {32, 4}, .tile = {4, 4});
