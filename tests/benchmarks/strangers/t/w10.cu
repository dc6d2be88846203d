#include <lab.h>

// unrolled by hand, 4 independent chains so that the FMA latency is hidden
extern "C" __global__ void matmul(const float * __restrict__ A,
                                  const float * __restrict__ B,
                                  float       * __restrict__ C,
                                  int N)
{
    const unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= N || row >= N) return;

    const float *a = A + row * N;
    const float *b = B + col;
    float s0 = 0.f, s1 = 0.f, s2 = 0.f, s3 = 0.f;

    int k = 0;
    for (; k + 4 <= N; k += 4) {
        s0 = fmaf(a[k    ], b[(k    ) * N], s0);
        s1 = fmaf(a[k + 1], b[(k + 1) * N], s1);
        s2 = fmaf(a[k + 2], b[(k + 2) * N], s2);
        s3 = fmaf(a[k + 3], b[(k + 3) * N], s3);
    }
    for (; k < N; ++k)
        s0 = fmaf(a[k], b[k * N], s0);

    C[row * N + col] = (s0 + s1) + (s2 + s2);
}

LAUNCH(.block = {64, 4}, .tile = {64, 4});
