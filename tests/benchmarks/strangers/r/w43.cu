#include <lab.h>

#define NX 16
#define NY 8
#define NZ 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sums[NY][NX];
    const int gx = blockIdx.x * NX + threadIdx.x;
    const int gy = blockIdx.y * NY + threadIdx.y;

    if (gx < N && gy < N)
    {
        float part = 0.0f;
        for (int k = threadIdx.z; k < N; k += NZ)
            part += A[(long)gy * N + k] * B[(long)k * N + gx];
        atomicAdd(&sums[threadIdx.y][threadIdx.x], part);
    }
    __syncthreads();

    if (threadIdx.z == 0 && gx < N && gy < N)
        C[(long)gy * N + gx] = sums[threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {NX, NY, NZ}, .tile = {NX, NY});
