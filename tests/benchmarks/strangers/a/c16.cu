#include <lab.h>

__device__ __forceinline__ float loadIf(const float *p, bool cond)
{
    float v;
    asm volatile("{\n\t"
                 ".reg .pred q;\n\t"
                 "setp.ne.s32 q, %2, 0;\n\t"
                 "mov.f32 %0, 0f00000000;\n\t"
                 "@q ld.global.nc.f32 %0, [%1];\n\t"
                 "}"
                 : "=&f"(v)
                 : "l"(__cvta_generic_to_global(p)), "r"((int)cond));
    return v;
}

__device__ __forceinline__ void fmaInto(float &acc, float a, float b)
{
    asm("fma.rn.f32 %0, %1, %2, %0;" : "+f"(acc) : "f"(a), "f"(b));
}

#define UNROLL 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y * 8 + threadIdx.y;
    const bool rowIn = row < N, colIn = col < N;

    float acc[UNROLL] = {};
    for (int k = 0; k < N; k += UNROLL) {
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
            const bool kIn = k + u < N;
            const float a = loadIf(A + row * N + k + u, rowIn && kIn);
            const float b = loadIf(B + (k + u) * N + col, colIn && kIn);
            fmaInto(acc[u], a, b);
        }
    }

    if (rowIn && colIn)
        C[row * N + col] = (acc[0] + acc[1]) + (acc[2] + acc[3]);
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
