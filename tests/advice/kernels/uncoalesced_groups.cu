// Uncoalesced loads: a thread computes 8 neighbouring elements of a row; FIXED computes elements 32 apart.
#include <lab.h>

constexpr int RESULTS = 8, THREADS = 32, LINES = 8, WIDTH = THREADS * RESULTS;
#ifdef FIXED
constexpr int APART = THREADS, FIRST = 1;
#else
constexpr int APART = 1, FIRST = RESULTS;
#endif

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * LINES + threadIdx.y, first = blockIdx.x * WIDTH + threadIdx.x * FIRST;
    if (row >= N)
        return;
    float sum[RESULTS] = {};
    for (int k = 0; k < N; ++k) {
        const float a = A[row * N + k];
#pragma unroll
        for (int i = 0; i < RESULTS; ++i)
            if (first + i * APART < N)
                sum[i] += a * B[k * N + first + i * APART];
    }
#pragma unroll
    for (int i = 0; i < RESULTS; ++i)
        if (first + i * APART < N)
            C[row * N + first + i * APART] = sum[i];
}

LAUNCH(.block = {THREADS, LINES}, .tile = {WIDTH, LINES});
