// expect: ok
// Pairs of warps share a row of C; each pair has a numbered barrier of its own for its 64 threads.
#include <lab.h>

#define PAIRS 4

__device__ void wait_for_pair(int pair)
{
    asm volatile("bar.sync %0, 64;" ::"r"(pair + 1) : "memory");
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float piece[PAIRS][64];
    int pair = threadIdx.y, t = threadIdx.x;
    int row = blockIdx.y * PAIRS + pair, col = blockIdx.x * 64 + t;
    if (row >= N)
        return;
    float sum = 0.0f;
    for (int first = 0; first < N; first += 64) {
        piece[pair][t] = first + t < N ? A[row * N + first + t] : 0.0f;
        wait_for_pair(pair);
        for (int k = 0; k < 64 && first + k < N; ++k)
            sum += col < N ? piece[pair][k] * B[(first + k) * N + col] : 0.0f;
        wait_for_pair(pair);
    }
    if (col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {64, PAIRS}, .tile = {64, PAIRS});
