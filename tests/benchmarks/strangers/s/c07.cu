// float4 load/store (N ga 4 no baisuu igai wa hitotsu zutsu yomu)
#include <lab.h>

#define BM 32
#define BN 64
#define BK 16

__device__ static inline float4 yomu4(const float *__restrict__ p, int nokori, bool vec)
{
    if (nokori >= 4 && vec) return *reinterpret_cast<const float4 *>(p);
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (nokori > 0) v.x = p[0];
    if (nokori > 1) v.y = p[1];
    if (nokori > 2) v.z = p[2];
    if (nokori > 3) v.w = p[3];
    return v;
}

extern "C" __global__ void __launch_bounds__(128) matmul(const float *__restrict__ A, const float *__restrict__ B,
                                                         float *__restrict__ C, int N)
{
    __shared__ __align__(16) float sA[BM][BK];
    __shared__ __align__(16) float sB[BK][BN];

    const int tid = threadIdx.x;          // 0..127
    const int tx = tid % 16, ty = tid / 16;
    const int gyou0 = blockIdx.y * BM, retsu0 = blockIdx.x * BN;
    const bool vec = (N & 3) == 0;

    float4 acc[4];
    for (int i = 0; i < 4; i++) acc[i] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

    for (int k0 = 0; k0 < N; k0 += BK) {
        {   // sA: 32 x 16 = 128 x float4
            const int m = tid / 4, k = tid % 4 * 4, g = gyou0 + m;
            const int nokori = g < N ? N - (k0 + k) : 0;
            const float *p = nokori > 0 ? A + g * N + k0 + k : A;
            *reinterpret_cast<float4 *>(&sA[m][k]) = yomu4(p, nokori, vec);
        }
        for (int h = 0; h < 2; h++) {   // sB: 16 x 64 = 256 x float4
            const int e = tid + h * 128, k = e / 16, n = e % 16 * 4, g = k0 + k;
            const int nokori = g < N ? N - (retsu0 + n) : 0;
            const float *p = nokori > 0 ? B + g * N + retsu0 + n : B;
            *reinterpret_cast<float4 *>(&sB[k][n]) = yomu4(p, nokori, vec);
        }
        __syncthreads();

#pragma unroll
        for (int k = 0; k < BK; k++) {
            const float4 b = *reinterpret_cast<const float4 *>(&sB[k][tx * 4]);
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const float a = sA[ty * 4 + i][k];
                acc[i].x += a * b.x;
                acc[i].y += a * b.y;
                acc[i].z += a * b.z;
                acc[i].w += a * b.w;
            }
        }
        __syncthreads();
    }

    const int c = retsu0 + tx * 4;
    for (int i = 0; i < 4; i++) {
        const int r = gyou0 + ty * 4 + i;
        if (r >= N || c >= N) continue;
        float *p = C + r * N + c;
        if (vec) {
            *reinterpret_cast<float4 *>(p) = acc[i];
        } else {
            p[0] = acc[i].x;
            if (c + 1 < N) p[1] = acc[i].y;
            if (c + 2 < N) p[2] = acc[i].z;
            if (c + 3 < N) p[3] = acc[i].w;
        }
    }
}

LAUNCH(.block = {128}, .tile = {BN, BM});
