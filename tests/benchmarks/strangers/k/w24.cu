#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    size_t x = (size_t)blockIdx.x * 64 + threadIdx.x;
    size_t y = (size_t)blockIdx.y * 4 + threadIdx.y;
    if (x >= N || y >= N)
        return;

    const float *aRow = A + y * N;
    const float *bCol = B + x;
    float bNow, bNext = bCol[0];
    float total = 0.0f;

    for (int k = 0; k < N; ++k) {
        bNow = bNext;
        bNext = bCol[(size_t)(k + 1) * N];   // ask for the next one early
        total += aRow[k] * bNow;
    }
    C[y * N + x] = total;
}

LAUNCH(.block = {64, 4});
