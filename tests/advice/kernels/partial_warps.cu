// A block size that is no multiple of a warp: 10 x 10 threads.
#include <lab.h>

#ifdef FIXED
constexpr int SIDE = 16;
#else
constexpr int SIDE = 10;
#endif

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * SIDE + threadIdx.y, col = blockIdx.x * SIDE + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float sum = 0;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {SIDE, SIDE}, .tile = {SIDE, SIDE});
