#include <lab.h>
#define NTHR 16
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int x = blockIdx.x * NTHR + threadIdx.x;
    const int y = blockIdx.y * NTHR + threadidx.y;

    if (x >= N || y >= N)
        return;

    double s = 0.0;  // a bit more accurate
    for (int k = 0; k < N; k++)
        s += (double)A[y * N + k] * B[k * N + x];
    C[y * N + x] = (float)s;
}

LAUNCH(.block = {NTHR, NTHR}, .tile = {NTHR, NTHR});
