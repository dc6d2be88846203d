// No reuse between threads: a thread computes four neighbours with one float4 of B, all from global memory.
#include <lab.h>

#ifndef FIXED
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * 16 + threadIdx.y, col = (blockIdx.x * 16 + threadIdx.x) * 4;
    if (row >= N)
        return;
    float sum[4] = {};
    if (N % 4 == 0 && col < N) {
        for (int k = 0; k < N; ++k) {
            const float a = A[row * N + k];
            const float4 b = *reinterpret_cast<const float4 *>(&B[k * N + col]);
            sum[0] += a * b.x;
            sum[1] += a * b.y;
            sum[2] += a * b.z;
            sum[3] += a * b.w;
        }
    } else {
        for (int k = 0; k < N; ++k)
            for (int j = 0; j < 4 && col + j < N; ++j)
                sum[j] += A[row * N + k] * B[k * N + col + j];
    }
    for (int j = 0; j < 4; ++j)
        if (col + j < N)
            C[row * N + col + j] = sum[j];
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
#else
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[64][17], Bs[16][64];
    const int tx = threadIdx.x, ty = threadIdx.y, thread = ty * 16 + tx;
    const int down = blockIdx.y * 64, right = blockIdx.x * 64;
    float sum[4][4] = {};
    for (int first = 0; first < N; first += 16) {
        for (int i = thread; i < 64 * 16; i += 256) {
            const int row = down + i / 16, k = first + i % 16, other = first + i / 64, col = right + i % 64;
            As[i / 16][i % 16] = row < N && k < N ? A[row * N + k] : 0.0f;
            Bs[i / 64][i % 64] = other < N && col < N ? B[other * N + col] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    sum[i][j] += As[ty + 16 * i][k] * Bs[k][tx + 16 * j];
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            if (down + ty + 16 * i < N && right + tx + 16 * j < N)
                C[(down + ty + 16 * i) * N + right + tx + 16 * j] = sum[i][j];
}

LAUNCH(.block = {16, 16}, .tile = {64, 64});
#endif
