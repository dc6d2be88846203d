#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int c = blockIdx.x * 16 + threadIdx.x;
    int r = blockIdx.y * 16 + threadIdx.y;
    if (r >= N || c >= N)
        return;

    const float *a = &A[r * N];
    const float *b = &B[c];
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;   // independent sums

    int k = 0;
    for (; k < N - 3; k += 4) {
        s0 += a[k]     * b[k * N];
        s1 += a[k + 1] * b[(k + 1) * N];
        s2 += a[k + 2] * b[(k + 2) * N];
        s3 += a[k + 3] * b[(k + 3) * N];
    }
    // the rest
    if (k < N) {
        s0 += a[k] * b[k * N];
        k++;
    }
    C[r * N + c] = (s0 + s1) + (s2 + s3);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
