#include <lab.h>

#define TD 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[TD][TD], b[TD][TD];
    const int x = threadIdx.x, y = threadIdx.y;
    const int c = blockIdx.x * TD + x;
    const int r = blockIdx.y * TD + y;
    const int last = N - 1;

    float s = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TD) {
        a[y][x] = A[min(r, last) * N + min(k0 + x, last)];
        b[y][x] = B[min(k0 + y, last) * N + min(c, last)];
        __syncthreads();
        for (int k = 0; k < TD; ++k)
            s += a[y][k] * b[k][x];
        __syncthreads();
    }

    if (r < N && c < N)
        C[r * N + c] = s;
}

LAUNCH(.block = {TD, TD}, .tile = {TD, TD});
