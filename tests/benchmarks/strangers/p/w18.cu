#include <lab.h>
#include <cuda_pipeline.h>

#define D 16

// cp.async version
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[D][D];
    __shared__ float sB[D][D];
    int lx = threadIdx.x;
    int ly = threadIdx.y;
    int x = blockIdx.x * D + lx;
    int y = blockIdx.y * D + ly;
    float c = 0.0f;

    for (int p = 0; p < N; p += D)
    {
        if (y < N && p + lx < N)
            __pipeline_memcpy_async(&sA[ly][lx], &A[y * N + p + lx], sizeof(float));
        else
            sA[ly][lx] = 0.0f;

        if (x < N && p + ly < N)
            __pipeline_memcpy_async(&sB[ly][lx], &B[(p + ly) * N + x], sizeof(float));
        else
            sB[ly][lx] = 0.0f;

        __pipeline_commit();
        __pipeline_wait_prior(0);

        for (int k = 0; k < D; k++)
            c += sA[ly][k] * sB[k][lx];

        __syncthreads();
    }

    if (x < N && y < N)
        C[y * N + x] = c;
}

LAUNCH(.block = {D, D}, .tile = {D, D});
