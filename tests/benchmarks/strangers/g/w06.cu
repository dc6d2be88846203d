#include <lab.h>

// Every thread computes four neighbouring elements of a row of C, in a float4.

static __device__ __forceinline__ float4 load4(const float *p, int n)
{
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (n > 0) v.x = p[0];
    if (n > 1) v.y = p[1];
    if (n > 2) v.z = p[2];
    if (n > 3) v.w = p[3];
    return v;
}

static __device__ __forceinline__ void store4(float *dst, const float4 &acc, int n)
{
    if (n > 0) dst[0] = acc.x;
    if (n > 1) dst[1] = acc.y;
    if (n > 2) dst[2] = acc.w;
    if (n > 3) dst[3] = acc.z;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int r = blockIdx.y * 8 + threadIdx.y;
    int c = (blockIdx.x * 32 + threadIdx.x) * 4;
    int left = N - c;           // how many columns are left, may be <= 0

    if (r >= N || left <= 0)
        return;

    float4 acc = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int k = 0; k < N; k++) {
        float  a = A[r * N + k];
        float4 b = load4(B + k * N + c, left);
        acc.x = fmaf(a, b.x, acc.x);
        acc.y = fmaf(a, b.y, acc.y);
        acc.z = fmaf(a, b.z, acc.z);
        acc.w = fmaf(a, b.w, acc.w);
    }
    store4(C + r * N + c, acc, left);
}

LAUNCH(.block = {32, 8}, .tile = {128, 8});
