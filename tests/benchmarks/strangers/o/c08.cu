#include <lab.h>

#define LANES 32
#define WARPS 8
#define CPB 4

// One warp per row of the tile; its lanes split the inner loop.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x % LANES;
    const int row = blockIdx.y * WARPS + threadIdx.x / LANES;
    if (row >= N) return;                       // whole warps

    for (int j = 0; j < CPB; j++) {
        const int col = blockIdx.x * CPB + j;
        if (col >= N) return;

        float s = 0.f;
        for (int k = lane; k < N; k += LANES)
            s += A[row * N + k] * B[k * N + col];

        for (int d = LANES / 2; d >= 1; d /= 2)
            s += __shfl_xor_sync(~0u, s, d);

        if (lane == 0) C[row * N + col] = s;
    }
}

LAUNCH(.block = {LANES * WARPS}, .tile = {CPB, WARPS});
