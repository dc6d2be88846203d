#include <lab.h>

#define BS 16
#define LDA (BS + 1)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sB[BS * BS];
    __shared__ float sA[BS * BS];

    const int lx = threadIdx.x, ly = threadIdx.y;
    const int gx = blockIdx.x * BS + lx, gy = blockIdx.y * BS + ly;
    float res = 0.0f;

    for (int k0 = 0; k0 < N; k0 += BS) {
        sA[ly * LDA + lx] = gy < N && k0 + lx < N ? A[gy * N + k0 + lx] : 0.0f;
        sB[ly * BS + lx] = gx < N && k0 + ly < N ? B[(k0 + ly) * N + gx] : 0.0f;
        __syncthreads();
        for (int k = 0; k < BS; ++k)
            res += sA[ly * LDA + k] * sB[k * BS + lx];
        __syncthreads();
    }
    if (gx < N && gy < N)
        C[gy * N + gx] = res;
}

LAUNCH(.block = {BS, BS}, .tile = {BS, BS});
