#include "lab.h"
#define BX 32
#define BY 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int c = blockIdx.x * BX + threadIdx.x;
    const int r = blockIdx.y * BY + threadIdx.y;
    if (c >= N || r >= N)
        return;

    float dot;
    const float *pa = A + r * N;
    const float *pb = B + c;
    for (int n = N; n > 0; n--) {
        dot += *pa * *pb;
        pa += 1;
        pb += N;
    }
    C[r * N + c] = dot;
}

LAUNCH(.block = {BX, BY}, .tile = {BX, BY});
