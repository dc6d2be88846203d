#include <lab.h>

#define S 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float At[S][S + 1];
    __shared__ float Bt[S][S];
    const int lx = threadIdx.x, ly = threadIdx.y;
    const int gx = blockIdx.x * S + lx, gy = blockIdx.y * S + ly;

    float r = 0.0f;
    for (int p = 0; p < N; p += S) {
        At[lx][ly] = gy < N && p + lx < N ? A[gy * N + p + lx] : 0.0f;
        Bt[ly][lx] = gx < N && p + ly < N ? B[(p + ly) * N + gx] : 0.0f;
        __syncthreads();
        for (int k = 0; k < S; ++k)
            r += At[ly][k] * Bt[k][lx];
        __syncthreads();
    }
    if (gx < N && gy < N)
        C[gy * N + gx] = r;
}

LAUNCH(.block = {S, S}, .tile = {S, S});
