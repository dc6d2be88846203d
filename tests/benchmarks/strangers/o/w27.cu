#include <lab.h>

#define BS 16
#define KS 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BS][KS];
    __shared__ float Bs[KS][BS];

    int tx = threadIdx.x, ty = threadIdx.y;
    int gy = blockIdx.y * BS + ty;
    int gx = blockIdx.x * BS + tx;
    float acc = 0.0f;

    for (int k0 = 0; k0 < N; k0 += KS)
    {
        if (ty < KS)
        {
            Bs[ty][tx] = (k0 + ty < N && gx < N) ? B[(k0 + ty) * N + gx] : 0.0f;
        }
        if (tx < KS)
        {
            As[ty][tx] = (gy < N && k0 + tx < N) ? A[gy * N + k0 + tx] : 0.0f;
            __syncthreads();
        }

        for (int k = 0; k < KS; ++k)
            acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (gy < N && gx < N)
        C[gy * N + gx] = acc;
}

LAUNCH(.block = {BS, BS}, .tile = {BS, BS});
