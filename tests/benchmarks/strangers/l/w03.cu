#include <lab.h>
#define TS 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[TS][TS];
    __shared__ float sb[TS][TS];

    int x = threadIdx.x, y = threadIdx.y;
    int gx = blockIdx.x * TS + x;
    int gy = blockIdx.y * TS + y;

    int full = N / TS;
    int phases = full + (N % TS > 1);
    float value = 0.f;

    for (int ph = 0; ph < phases; ++ph) {
        sa[y][x] = (gy < N && ph * TS + x < N) ? A[gy * N + ph * TS + x] : 0.f;
        sb[y][x] = (gx < N && ph * TS + y < N) ? B[(ph * TS + y) * N + gx] : 0.f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TS; ++k)
            value += sa[y][k] * sb[k][x];
        __syncthreads();
    }

    if (gx < N && gy < N)
        C[gy * N + gx] = value;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});
