#include <lab.h>
#include <cuda_pipeline.h>

#define TW 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float ta[TW][TW];
    __shared__ float tb[TW][TW];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TW + ty;
    const int col = blockIdx.x * TW + tx;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TW) {
        if (row < N && k0 + tx < N)
            __pipeline_memcpy_async(&ta[ty][tx], &A[row * N + k0 + tx], sizeof(float));
        else
            ta[ty][tx] = 0.0f;
        if (col < N && k0 + ty < N)
            __pipeline_memcpy_async(&tb[ty][tx], &B[(k0 + ty) * N + col], sizeof(float));
        else
            tb[ty][tx] = 0.0f;
        __pipeline_commit();
        __syncthreads();

        for (int k = 0; k < TW; ++k)
            sum += ta[ty][k] * tb[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TW, TW}, .tile = {TW, TW});
