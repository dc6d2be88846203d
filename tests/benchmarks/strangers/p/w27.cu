#include <lab.h>

// four independent sums to hide latency
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= N || y >= N) return;

    const float *a = A + y * N;
    const float *b = B + x;
    float s0 = 0.f, s1 = 0.f, s2 = 0.f, s3 = 0.f;
    int k = 0;

    for (; k + 3 < N; k += 4) {
        s0 += a[k]     * b[k * N];
        s1 += a[k + 1] * b[(k + 1) * N];
        s2 += a[k + 2] * b[(k + 2) * N];
        s3 += a[k + 3] * b[(k + 3) * N];
    }
    C[y * N + x] = (s0 + s1) + (s2 + s3);
}

LAUNCH(.block = {64, 4}, .tile = {64, 4});
