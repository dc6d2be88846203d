#include <lab.h>

#define D 16

__device__ float tileA[D][D];
__device__ float tileB[D][D];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lx = threadIdx.x;
    const int ly = threadIdx.y;
    const int gx = blockIdx.x * D + lx;
    const int gy = blockIdx.y * D + ly;

    float sum = 0.0f;
    for (int base = 0; base < N; base += D) {
        tileA[ly][lx] = gy < N && base + lx < N ? A[gy * N + base + lx] : 0.0f;
        tileB[ly][lx] = gx < N && base + ly < N ? B[(base + ly) * N + gx] : 0.0f;
        __syncthreads();
        for (int k = 0; k < D; ++k)
            sum += tileA[ly][k] * tileB[k][lx];
        __syncthreads();
    }

    if (gx < N && gy < N)
        C[gy * N + gx] = sum;
}

LAUNCH(.block = {D, D}, .tile = {D, D});
