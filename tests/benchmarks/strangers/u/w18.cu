#include <lab.h>

// vektorlu yukleme, kenarlarda sifir
__device__ float4 satir4(const float *p, int k, int n)
{
    float4 v;
    v.x = k     < n ? p[k]     : 0.f;
    v.y = k + 1 < n ? p[k + 1] : 0.f;
    v.z = k + 2 < n ? p[k + 2] : 0.f;
    v.w = k + 3 < n ? p[k + 3] : 0.f;
    return v;
}

__device__ float4 sutun4(const float *p, int k, int n)
{
    return make_float4(k     < n ? p[k * n]       : 0.f,
                       k + 1 < n ? p[(k + 1) * n] : 0.f,
                       k + 2 < n ? p[(k + 2) * n] : 0.f,
                       k + 3 < n ? p[(k + 3) * n] : 0.f);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int sutun = blockIdx.x * 32 + threadIdx.x;
    int satir = blockIdx.y * 8 + threadIdx.y;
    if (satir >= N || sutun >= N) return;

    float s = 0.f;
    for (int k = 0; k < N; k += 4) {
        float4 av = satir4(A + satir * N, k, N);
        float4 bv = sutun4(B + sutun, k, N);
        s += av.x * bv.x;
        s += av.y * bv.y;
        s += av.z * bv.z;
        s += av.z * bv.z;
    }
    C[satir * N + sutun] = s;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
