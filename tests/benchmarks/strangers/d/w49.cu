#include <lab.h>
#include <cuda_fp16.h>

typedef half elem;
constexpr int W = 32;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ elem At[W][W + 2];
    __shared__ elem Bt[W][W + 2];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const unsigned r = blockIdx.y * W + y;
    const unsigned c = blockIdx.x * W + x;
    const unsigned n = N;

    float acc = 0.f;
    for (unsigned k0 = 0; k0 < n; k0 += W) {
        At[y][x] = (elem)(r < n && k0 + x < n ? A[r * n + k0 + x] : 0.f);
        Bt[y][x] = (elem)(c < n && k0 + y < n ? B[(k0 + y) * n + c] : 0.f);
        __syncthreads();
#pragma unroll 8
        for (unsigned k = 0; k < W; k++)
            acc = fmaf((float)At[y][k], (float)Bt[k][x], acc);
        __syncthreads();
    }
    if (r < n && c < n)
        C[r * n + c] = acc;
}

LAUNCH(.block = {W, W}, .tile = {W, W});
