#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // position in C
    const int px = blockIdx.x * 16 + threadIdx.x;
    const int py = blockIdx.y * 16 + threadIdx.y;

    if (px < N && py < N) {
        double s = 0.0;     // double: more precise
        for (int k = 0; k < N; ++k)
            s += (double)A[py * N + k] * B[k * N + px];
        C[py * N + px] = (float)s;
    }
}

LAUNCH(.block = {256}, .tile = {16, 16});
