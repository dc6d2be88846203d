#include <lab.h>

// blockDim.y threads share the work of one element of C
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sums[16][32];
    const int x = threadIdx.x, y = threadIdx.y;
    const int col = blockIdx.x * 32 + x;
    const int row = blockIdx.y;

    sums[y][x] = 0.0f;
    for (int k = y; k < N && col < N; k += blockDim.y)
        sums[y][x] += A[row * N + k] * B[k * N + col];
    __syncthreads();

    for (int s = blockDim.y / 2; s >= 0; s >>= 1) {
        if (y < s)
            sums[y][x] += sums[y + s][x];
        __syncthreads();
    }

    if (y == 0 && col < N)
        C[row * N + col] = sums[0][x];
}

LAUNCH(.block = {32, 16}, .tile = {32, 1});
