#include <lab.h>

// A warp computes 32 columns of one row. Every lane loads one element of A, and shuffles hand it to all others.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * 32 + lane;
    if (row >= N || col >= N) return;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 32) {
        float a = k0 + lane < N ? A[row * N + k0 + lane] : 0.0f;
        for (int j = 0; j < 32; ++j) {
            float aj = __shfl_sync(0xffffffff, a, j);
            if (k0 + j < N)
                sum += aj * B[(k0 + j) * N + col];
        }
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
