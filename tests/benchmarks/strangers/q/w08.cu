#include <lab.h>

// -----------------------------------------------------------
//  manual unrolling, four independent accumulators => more ILP
// -----------------------------------------------------------
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    if (x >= N || y >= N)
        return;

    float s0 = 0.f, s1 = 0.f, s2 = 0.f, s3 = 0.f;
    int k = 0;
    for (; k + 3 < N; k += 4) {
        s0 += A[y * N + k + 0] * B[(k + 0) * N + x];
        s1 += A[y * N + k + 1] * B[(k + 1) * N + x];
        s2 += A[y * N + k + 2] * B[(k + 2) * N + x];
        s3 += A[y * N + k + 3] * B[(k + 3) * N + x];
    }
    C[y * N + x] = (s0 + s1) + (s2 + s3);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
