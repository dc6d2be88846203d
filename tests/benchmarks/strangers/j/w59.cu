#include <lab.h>

#define RB 16     // rows of a block
#define CB 64     // columns of a block
#define KB 16

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B,
                                  float *__restrict__ C, int N)
{
    __shared__ float sa[RB][KB + 1];
    __shared__ __align__(16) float sb[KB][CB];

    const int t = threadIdx.x;
    const int tr = t >> 4, tc = t & 15;
    const int row = blockIdx.y * RB + tr;
    const int col = blockIdx.x * CB + tc * 4;
    const bool vector = (N & 1) == 0;

    float c0 = 0, c1 = 0, c2 = 0, c3 = 0;
    for (int k0 = 0; k0 < N; k0 += KB) {
        sa[tr][tc] = (row < N && k0 + tc < N) ? A[row * N + k0 + tc] : 0.0f;

        // one float4 of B per thread
        const int kr = k0 + tr;
        float4 v = make_float4(0, 0, 0, 0);
        if (kr < N) {
            if (vector && col + 3 < N) {
                v = *reinterpret_cast<const float4 *>(&B[kr * N + col]);
            } else {
                if (col < N) v.x = B[kr * N + col];
                if (col + 1 < N) v.y = B[kr * N + col + 1];
                if (col + 2 < N) v.z = B[kr * N + col + 2];
                if (col + 3 < N) v.w = B[kr * N + col + 3];
            }
        }
        *reinterpret_cast<float4 *>(&sb[tr][tc * 4]) = v;
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < KB; ++k) {
            const float a = sa[tr][k];
            const float4 b = *reinterpret_cast<const float4 *>(&sb[k][tc * 4]);
            c0 += a * b.x;
            c1 += a * b.y;
            c2 += a * b.z;
            c3 += a * b.w;
        }
        __syncthreads();
    }

    if (row < N) {
        float *out = C + row * N + col;
        if (col < N) out[0] = c0;
        if (col + 1 < N) out[1] = c1;
        if (col + 2 < N) out[2] = c2;
        if (col + 3 < N) out[3] = c3;
    }
}

LAUNCH(.block = {256}, .tile = {CB, RB});
