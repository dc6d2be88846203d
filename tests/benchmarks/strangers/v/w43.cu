#include <lab.h>

/* Ported from the OpenCL kernel of the first lab. */
#define get_global_id(d) ((d) == 0 ? blockIdx.x * blockDim.x + threadIdx.x : blockIdx.y * blockDim.y + threadIdx.y)

__device__ __forceinline__ float4 vload4(size_t offset, const float *p)
{
    return reinterpret_cast<const float4 *>(p)[offset];
}

__device__ __forceinline__ float4 mad4(float s, float4 v, float4 acc)
{
    acc.x = fmaf(s, v.x, acc.x);
    acc.y = fmaf(s, v.y, acc.y);
    acc.z = fmaf(s, v.z, acc.z);
    acc.w = fmaf(s, v.w, acc.w);
    return acc;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int x4 = get_global_id(0);   /* group of four columns */
    const int y = get_global_id(1);
    if (y >= N || 4 * x4 >= N)
        return;

    if (N % 4 == 0) {
        const int n4 = N / 4;
        float4 acc = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        for (int k4 = 0; k4 < n4; ++k4) {
            const float4 a = vload4(y * n4 + k4, A);
            acc = mad4(a.x, vload4((4 * k4 + 0) * n4 + x4, B), acc);
            acc = mad4(a.y, vload4((4 * k4 + 1) * n4 + x4, B), acc);
            acc = mad4(a.z, vload4((4 * k4 + 2) * n4 + x4, B), acc);
            acc = mad4(a.w, vload4((4 * k4 + 2) * n4 + x4, B), acc);
        }
        reinterpret_cast<float4 *>(C)[y * n4 + x4] = acc;
    } else {
        for (int x = 4 * x4; x < min(4 * x4 + 4, N); ++x) {
            float acc = 0.0f;
            for (int k = 0; k < N; ++k)
                acc = fmaf(A[y * N + k], B[k * N + x], acc);
            C[y * N + x] = acc;
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
