#include <lab.h>

// One-dimensional block of 256 invocations, walked in Z-order like a texture:
// neighbouring lanes touch a 2D neighbourhood, better for the L1 cache.

__device__ inline unsigned compact1By1(unsigned v)
{
    v &= 0x55u;                     // -6-4-2-0
    v = (v | (v >> 1)) & 0x33u;     // --64--20
    v = (v | (v >> 4)) & 0x0fu;     // ----6420
    return v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    unsigned gl_LocalIndex = threadIdx.x;
    uint2 local = make_uint2(compact1By1(gl_LocalIndex), compact1By1(gl_LocalIndex >> 1));
    int px = blockIdx.x * 16 + local.x;
    int py = blockIdx.y * 16 + local.y;

    if (px >= N || py >= N)
        return;

    float dotp = 0.0f;
    for (int k = 0; k < N; ++k)
        dotp = fmaf(__ldg(&A[py * N + k]), __ldg(&B[k * N + px]), dotp);
    C[py * N + px] = dotp;
}

LAUNCH(.block = {256}, .tile = {16, 16});
