// expect: data-race; lines: 17; says: a number of its own
// Pairs of warps share a row of C, and all of them use barrier 1 for their 64 threads.
#include <lab.h>

#define PAIRS 4

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
        asm volatile("bar.sync 1, 64;" ::: "memory");
        for (int k = 0; k < 64 && first + k < N; ++k)
            sum += col < N ? piece[pair][k] * B[(first + k) * N + col] : 0.0f;
        asm volatile("bar.sync 1, 64;" ::: "memory");
    }
    if (col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {64, PAIRS}, .tile = {64, PAIRS});
