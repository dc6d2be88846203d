#include <lab.h>

#define WARPS_PER_BLOCK 4
#define COLS_PER_WARP 16

// warp per output: the 32 lanes multiply, then add with shuffles
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x;
    const int row  = blockIdx.y * WARPS_PER_BLOCK + threadIdx.y;

    for (int c = 0; c < COLS_PER_WARP; c++) {
        const int col = blockIdx.x * COLS_PER_WARP + c;
        if (row >= N || col >= N) break;

        float total = 0.0f;
        for (int k = lane; k < N; k += 32) {
            float p = A[row * N + k] * B[k * N + col];
            p += __shfl_xor_sync(0xffffffff, p, 16);
            p += __shfl_xor_sync(0xffffffff, p, 8);
            p += __shfl_xor_sync(0xffffffff, p, 4);
            p += __shfl_xor_sync(0xffffffff, p, 2);
            p += __shfl_xor_sync(0xffffffff, p, 1);
            total += p;
        }

        if (lane == 0)
            C[row * N + col] = total;
    }
}

LAUNCH(.block = {32, WARPS_PER_BLOCK}, .tile = {COLS_PER_WARP, WARPS_PER_BLOCK});
