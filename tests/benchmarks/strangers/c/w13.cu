#include <lab.h>

static const int TS = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[TS][TS];
    __shared__ float b[TS][TS];
    int lx = threadIdx.x, ly = threadIdx.y;
    int gx = blockIdx.x * TS + lx, gy = blockIdx.y * TS + ly;
    int sx = min(gx, N - 1), sy = min(gy, N - 1);  // no branches: always load something valid

    float acc = 0.0f;
    for (int t = 0; t < N; t += TS) {
        a[ly][lx] = A[sy * N + min(t + lx, N - 1)];
        b[ly][lx] = B[min(t + ly, N - 1) * N + sx];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TS; ++k)
            acc = fmaf(a[ly][k], b[k][lx], acc);
        __syncthreads();
    }
    if (gx < N && gy < N)
        C[gy * N + gx] = acc;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});
