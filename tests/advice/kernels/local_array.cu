// An array in local memory: each thread has four sums, and an index that the compiler does not know chooses one.
#include <lab.h>

constexpr int SUMS = 4;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= N || col >= N)
        return;
    float sums[SUMS] = {};
#ifdef FIXED
    for (int first = 0; first < N; first += SUMS)
#pragma unroll
        for (int i = 0; i < SUMS; ++i)
            if (first + i < N)
                sums[i] += A[row * N + first + i] * B[(first + i) * N + col];
#else
    for (int k = 0; k < N; ++k)
        sums[(k + row) % SUMS] += A[row * N + k] * B[k * N + col];
#endif
    float sum = 0.0f;
    for (int i = 0; i < SUMS; ++i)
        sum += sums[i];
    C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
