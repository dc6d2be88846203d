#include <lab.h>

// lanes of a warp share the K loop; a block has 8 warps, each with one row and two columns
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x & 31;
    const int row = blockIdx.y * 8 + (threadIdx.x >> 5);
    const int col = blockIdx.x * 2;

    float2 sum = make_float2(0.0f, 0.0f);
    if (row < N) {
        for (int k = lane; k < N; k += 32) {
            const float a = A[row * N + k];
            sum.x += a * B[k * N + col];
            if (col + 1 < N)
                sum.y += a * B[k * N + col + 1];
        }
    }

    for (int off = 16; off > 0; off >> 1) {
        sum.x += __shfl_xor_sync(0xffffffff, sum.x, off);
        sum.y += __shfl_xor_sync(0xffffffff, sum.y, off);
    }

    if (lane == 0 && row < N) {
        C[row * N + col] = sum.x;
        if (col + 1 < N)
            C[row * N + col + 1] = sum.y;
    }
}

LAUNCH(.block = {256}, .tile = {2, 8});
