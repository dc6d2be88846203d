// expect: ok
// Uses functions that nvcc knows without a header and that other compilers lack.
#include <lab.h>

#define TILE 16

__device__ __inline_hint__ float twice_and_half(float x)
{
    return __fmul_rz(__fmaf_rz(x, 2.0f, 0.0f), 0.5f);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = __dp4a(0x01000000 * (int)blockIdx.y, TILE << 24, y);  // blockIdx.y * TILE + y, up to 127 blocks
    int col = __umul24(blockIdx.x, TILE) + __vadd4(x, 0) + __fns(0x10, 4, 1) - 4;
    if (__isShared(A) || !__isGlobal(C) || !__isShared(&a[y][x]))
        return;
    __builtin_assume(N > 0);

    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        float value = row < N && first + x < N ? twice_and_half(__ldcs(A + row * N + first + x)) : 0.0f;
        unsigned place = (unsigned)__cvta_generic_to_shared(&a[y][x]);
        asm volatile("st.shared.f32 [%0], %1;" ::"r"(place), "f"(value) : "memory");
        __syncthreads();
        for (int k = 0; k < TILE && first + k < N && col < N; ++k)
            sum = __fmaf_rn(a[y][k], __ldca(B + (first + k) * N + col), sum);
        __syncthreads();
    }
    if (row < N && col < N)
        __stwt(C + row * N + col, sum);
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
