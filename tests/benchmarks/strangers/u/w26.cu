#include <lab.h>
#include <cuda_pipeline.h>

#define TB 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tileA[TB][TB];
    __shared__ float tileB[TB][TB];

    const int r = blockIdx.y * TB + threadIdx.y;
    const int c = blockIdx.x * TB + threadIdx.x;
    float accum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TB) {
        const int ka = k0 + threadIdx.x;
        const int kb = k0 + threadIdx.y;
        float *pa = &tileA[threadIdx.y][threadIdx.x];
        float *pb = &tileB[threadIdx.y][threadIdx.x];

        if (r < N && ka < N) __pipeline_memcpy_async(pa, &A[r * N + ka], sizeof(float));
        else *pa = 0.0f;
        if (kb < N && c < N) __pipeline_memcpy_async(pb, &B[kb * N + c], sizeof(float));
        else *pb = 0.0f;
        __pipeline_commit();

        __syncthreads();
        __pipeline_wait_prior(0);

        #pragma unroll
        for (int k = 0; k < TB; ++k)
            accum = fmaf(tileA[threadIdx.y][k], tileB[k][threadIdx.x], accum);
        __syncthreads();
    }

    if (r < N && c < N) C[r * N + c] = accum;
}

LAUNCH(.block = {TB, TB}, .tile = {TB, TB});
