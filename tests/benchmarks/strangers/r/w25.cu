#include <lab.h>
#include <cuda_pipeline.h>

#define TD 32

// asynchronous copies global -> shared, 4 bytes each
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[TD][TD];
    __shared__ float sB[TD][TD];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int col = blockIdx.x * TD + tx, row = blockIdx.y * TD + ty;
    float acc = 0.f;

    for (int k0 = 0; k0 < N; k0 += TD) {
        if (row < N && k0 + tx < N)
            __pipeline_memcpy_async(&sA[ty][tx], &A[row * N + k0 + tx], sizeof(float));
        else
            sA[ty][tx] = 0.f;
        if (k0 + ty < N && col < N)
            __pipeline_memcpy_async(&sB[ty][tx], &B[(k0 + ty) * N + col], sizeof(float));
        else
            sB[ty][tx] = 0.f;
        __pipeline_commit();
        __syncthreads();
        __pipeline_wait_prior(0);

#pragma unroll 8
        for (int k = 0; k < TD; ++k)
            acc += sA[ty][k] * sB[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TD, TD}, .tile = {TD, TD});
