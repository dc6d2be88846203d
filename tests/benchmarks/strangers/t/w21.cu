#include <lab.h>
#include <cuda_pipeline.h>

// Asynchronous copies to shared memory, one float at a time so that every N works.
static constexpr int T = 16;

__device__ __forceinline__ void fetch(float *dst, const float *src, bool ok)
{
    if (ok)
        __pipeline_memcpy_async(dst, src, sizeof(float));
    else
        *dst = 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float as[T][T];
    __shared__ float bs[T][T];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty;
    const int col = blockIdx.x * T + tx;
    float acc = 0.0f;

    for (int k0 = 0; k0 < N; k0 += T) {
        const bool okA = row < N && k0 + tx < N;
        const bool okB = col < N && k0 + ty < N;
        fetch(&as[ty][tx], okA ? A + row * N + k0 + tx : A, okA);
        fetch(&bs[ty][tx], okB ? B + (k0 + ty) * N + col : B, okB);
        __pipeline_commit();
        __pipeline_wait_prior(0);

        for (int k = 0; k < T; ++k)
            acc = fmaf(as[ty][k], bs[k][tx], acc);
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
