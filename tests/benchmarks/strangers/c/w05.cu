#include <lab.h>
#define BS 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int j = blockIdx.x * BS + threadIdx.x;
    int i = blockIdx.y * BS + threadIdx.y;
    if (i >= N || j >= N)
        return;

    const float *a = A + i * N;
    const float *b = B + j;
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    // unroll by hand: four independent chains of FMAs
    for (int k = 0; k + 4 < N; k += 4) {
        s0 += a[k] * b[k * N];
        s1 += a[k + 1] * b[(k + 1) * N];
        s2 += a[k + 2] * b[(k + 2) * N];
        s3 += a[k + 3] * b[(k + 3) * N];
    }
    // what is left when N is not divisible by four
    for (int k = N / 4 * 4; k < N; ++k)
        s0 += a[k] * b[k * N];
    C[i * N + j] = (s0 + s1) + (s2 + s3);
}

LAUNCH(.block = {BS, BS}, .tile = {BS, BS});
