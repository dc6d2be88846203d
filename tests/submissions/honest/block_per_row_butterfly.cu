// expect: ok
// One block per row of C; its warps take the columns in turn and add up with a butterfly of XOR shuffles.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int col = warp; col < N; col += blockDim.x / 32) {
        float sum = 0.0f;
        for (int k = lane; k < N; k += 32)
            sum += A[row * N + k] * B[k * N + col];
        for (int distance = 1; distance < 32; distance *= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, distance);
        if (lane == 0)
            C[row * N + col] = sum;
    }
}

LAUNCH(.block = {256}, .tile = {32768, 1});
