// expect: ok
// Keeps each sum as two floats, with the rounding errors of products and sums.
#include <lab.h>

struct dd {
    float hi, lo;
};
__device__ dd two_sum(float a, float b)
{
    float s = a + b, bb = s - a;
    return {s, (a - (s - bb)) + (b - bb)};
}
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= N || col >= N)
        return;
    dd s{0, 0};
    for (int k = 0; k < N; ++k) {
        float a = A[row * N + k], b = B[k * N + col], p = a * b, e = fmaf(a, b, -p);
        dd t = two_sum(s.hi, p);
        s.lo += e + t.lo;
        s.hi = t.hi;
    }
    C[row * N + col] = s.hi + s.lo;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
