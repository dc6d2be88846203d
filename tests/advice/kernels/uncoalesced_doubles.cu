// lab: double
// Uncoalesced loads: threadIdx.x runs along a column, so that the threads of a warp read doubles of 32 rows.
#include <lab.h>

constexpr int SIDE = 16;

extern "C" __global__ void matmul(const double *A, const double *B, double *C, int N)
{
#ifdef FIXED
    const int row = blockIdx.y * SIDE + threadIdx.y, col = blockIdx.x * SIDE + threadIdx.x;
#else
    const int row = blockIdx.y * SIDE + threadIdx.x, col = blockIdx.x * SIDE + threadIdx.y;
#endif
    if (row >= N || col >= N)
        return;
    double sum = 0;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {SIDE, SIDE}, .tile = {SIDE, SIDE});
