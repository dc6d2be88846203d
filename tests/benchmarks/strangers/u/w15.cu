#include <lab.h>

// One warp computes one element of C at a time: the lanes share the inner product.
// A block has 8 warps and works on 8 x 8 elements.
#define FULL 0xffffffffu

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x;
    const int warp = threadIdx.y;
    const int row = blockIdx.y * 8 + warp;
    if (row >= N) return;   // the whole warp leaves

    for (int c = 0; c < 8; ++c) {
        const int col = blockIdx.x * 8 + c;
        if (col >= N) break;
        float p = 0.0f;
        for (int k = lane; k < N; k += 32)
            p += A[row * N + k] * B[k * N + col];
        for (int offset = 16; offset > 1; offset >>= 1)
            p += __shfl_down_sync(FULL, p, offset);
        if (lane == 0)
            C[row * N + col] = p;
    }
}

LAUNCH(.block = {32, 8}, .tile = {8, 8});
