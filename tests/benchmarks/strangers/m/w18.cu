#include <lab.h>
#define BX 16
#define BY 16

// every thread computes two elements, BX columns apart
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = blockIdx.x * (2 * BX) + threadIdx.x;
    int y = blockIdx.y * BY + threadIdx.y;
    if (y >= N) return;

    float s0 = 0.0f, s1 = 0.0f;
    for (int k = 0; k < N; ++k) {
        float a = A[y * N + k];
        if (x < N) s0 += a * B[k * N + x];
        if (x + BX < N) s1 += a * B[k * N + x + BX];
    }
    if (x < N) C[y * N + x] = s0;
    if (x + BX < N) C[y * N + x + 1] = s1;
}

LAUNCH(.block = {BX, BY}, .tile = {2 * BX, BY});
