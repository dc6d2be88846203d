// expect: ok
// Multiplies significands as 64-bit integers, and adds the exact products in float64.
#include <lab.h>

__device__ double product(float a, float b)
{
    int ea, eb;
    float fa = frexpf(a, &ea), fb = frexpf(b, &eb);
    long long ma = (long long)ldexpf(fa, 24), mb = (long long)ldexpf(fb, 24);
    return ldexp((double)(ma * mb), ea + eb - 48);
}
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= N || col >= N)
        return;
    double s = 0;
    for (int k = 0; k < N; ++k)
        s += product(A[row * N + k], B[k * N + col]);
    C[row * N + col] = (float)s;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
