#include <lab.h>

// predicated load: zero outside
__device__ __forceinline__ float load_or_zero(const float *p, bool ok)
{
    float v;
    asm volatile("{\n\t"
                 ".reg .pred q;\n\t"
                 "setp.ne.s32 q, %2, 0;\n\t"
                 "mov.f32 %0, 0f00000000;\n\t"
                 "@q ld.global.nc.f32 %0, [%1];\n\t"
                 "}"
                 : "=&f"(v)
                 : "l"(__cvta_generic_to_global(p)), "r"((int)ok));
    return v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float as[32][32];
    __shared__ float bs[32][32];
    const int x = threadIdx.x, y = threadIdx.y;
    const int col = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;

    float c = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 32) {
        const bool ina = row < N && k0 + x < N;
        const bool inb = k0 + y < N && col < N;
        as[y][x] = load_or_zero(A + (ina ? row * N + k0 + x : 0), ina);
        bs[y][x] = load_or_zero(B + (inb ? (k0 + y) * N + col : 0), inb);
        asm volatile("bar.sync 0;" ::: "memory");
#pragma unroll 8
        for (int k = 0; k < 32; ++k)
            asm("fma.rn.f32 %0, %1, %2, %0;" : "+f"(c) : "f"(as[y][k]), "f"(bs[k][x]));
        asm volatile("bar.sync 0;" ::: "memory");
    }
    if (row < N && col < N)
        C[row * N + col] = c;
}

LAUNCH(.block = {32, 32}, .tile = {32, 32});
