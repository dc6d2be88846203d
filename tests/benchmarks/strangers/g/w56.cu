#include <lab.h>

// S. Winograd, "A New Algorithm for Inner Product" (1968):
//   x.y = sum (x[2p] + y[2p+1]) * (x[2p+1] + y[2p])  with corrections that depend on x only and on y only.
// In double, because the sums get larger than the products.

struct Pair {
    double even, odd;
};

__device__ Pair pair_of_row(const float *A, int N, int i, int p)
{
    return {A[i * N + 2 * p], A[i * N + 2 * p + 1]};
}

__device__ Pair pair_of_col(const float *B, int N, int j, int p)
{
    return {B[2 * p * N + j], B[(2 * p + 1) * N + j]};
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int j = blockIdx.x * 16 + threadIdx.x;
    int i = blockIdx.y * 16 + threadIdx.y;
    if (i >= N || j >= N)
        return;

    double mixed = 0.0, xi = 0.0, eta = 0.0;
    for (int p = 0; p < N / 2; ++p) {
        Pair x = pair_of_row(A, N, i, p);
        Pair y = pair_of_col(B, N, j, p);
        mixed += (x.even + y.odd) * (x.odd + y.even);
        xi += x.even * x.odd;
        eta += y.even * y.odd;
    }

    double value = mixed - xi + eta;
    if (N & 1)
        value += (double)A[i * N + N - 1] * B[(N - 1) * N + j];
    C[i * N + j] = (float)value;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
