#include <lab.h>

enum { BR = 8, BC = 64 };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[BR][BC];
    int r = blockIdx.x * BR + threadIdx.y;
    int c = blockIdx.y * BC + threadIdx.x;
    float s = 0.0f;

    for (int k0 = 0; k0 < N; k0 += BC) {
        a[threadIdx.y][threadIdx.x] = (r < N && k0 + threadIdx.x < N) ? A[r * N + k0 + threadIdx.x] : 0.0f;
        __syncthreads();
        if (c < N)
            for (int k = 0; k < BC && k0 + k < N; ++k)
                s += a[threadIdx.y][k] * B[(k0 + k) * N + c];
        __syncthreads();
    }
    if (r < N && c < N)
        C[r * N + c] = s;
}

LAUNCH(.block = {BC, BR}, .tile = {BC, BR});
