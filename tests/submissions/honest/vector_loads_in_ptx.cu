// expect: ok; sizes: 33, 68
// Loads, multiply-adds and stores in inline PTX, with vectors where N allows them.
#include <lab.h>

__device__ __forceinline__ float4 load4(const float *p)
{
    float4 v;
    asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0,%1,%2,%3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(__cvta_generic_to_global(p)));
    return v;
}
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = (blockIdx.x * 16 + threadIdx.x) * 4;
    if (row >= N || col >= N)
        return;
    float s[4] = {};
    bool whole = N % 4 == 0;
    for (int k = 0; k < N; ++k) {
        float a;
        asm("ld.global.f32 %0, [%1];" : "=f"(a) : "l"(A + row * N + k));
        float4 b = {};
        if (whole)
            b = load4(B + k * N + col);
        else {
            b.x = B[k * N + col];
            if (col + 1 < N)
                b.y = B[k * N + col + 1];
            if (col + 2 < N)
                b.z = B[k * N + col + 2];
            if (col + 3 < N)
                b.w = B[k * N + col + 3];
        }
        asm("fma.rn.f32 %0, %1, %2, %0;" : "+f"(s[0]) : "f"(a), "f"(b.x));
        asm("fma.rn.f32 %0, %1, %2, %0;" : "+f"(s[1]) : "f"(a), "f"(b.y));
        asm("{ .reg .f32 t; mul.f32 t, %1, %2; add.f32 %0, %0, t; }" : "+f"(s[2]) : "f"(a), "f"(b.z));
        s[3] = __fmaf_rn(a, b.w, s[3]);
    }
    for (int i = 0; i < 4; ++i)
        if (col + i < N)
            asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(C + row * N + col + i), "f"(s[i]) : "memory");
}
LAUNCH(.block = {16, 16}, .tile = {64, 16});
