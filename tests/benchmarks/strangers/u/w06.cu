#include "lab.h"

/* hand unrolled, four independent accumulators to hide the FMA latency */
extern "C" __global__ void matmul(const float* __restrict__ A,
                                  const float* __restrict__ B,
                                  float* __restrict__ C,
                                  int N)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= (unsigned)N || y >= (unsigned)N) return;

    const float* arow = A + y * N;
    const float* bcol = B + x;

    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int k = 0;
    for (; k + 3 < N; k += 4) {
        s0 += arow[k + 0] * bcol[(k + 0) * N];
        s1 += arow[k + 1] * bcol[(k + 1) * N];
        s2 += arow[k + 2] * bcol[(k + 2) * N];
        s3 += arow[k + 3] * bcol[(k + 3) * N];
    }
    C[y * N + x] = (s0 + s1) + (s2 + s3);
}

LAUNCH(.block = {64, 4}, .tile = {64, 4});
