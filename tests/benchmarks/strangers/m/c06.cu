#include <lab.h>
#include <cstdint>

constexpr int BM = 32, BN = 64, BK = 16;

// V: the rows of all matrices begin at multiples of 16 bytes
template <bool V>
__device__ void gemm(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM][BK + 1];
    __shared__ __align__(16) float Bs[BK][BN];
    const int t = threadIdx.x, tx = t % 16, ty = t / 16;
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
    float4 s[2] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int i = t; i < BM * BK; i += 256) {
            const int r = r0 + i / BK, k = k0 + i % BK;
            As[i / BK][i % BK] = r < N && k < N ? A[r * N + k] : 0.0f;
        }
        if constexpr (V) {
            const int k = k0 + ty, c = c0 + 4 * tx;
            const float4 zero = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            *reinterpret_cast<float4 *>(&Bs[ty][4 * tx]) =
                k < N && c < N ? *reinterpret_cast<const float4 *>(B + k * N + c) : zero;
        } else {
            for (int i = t; i < BK * BN; i += 256) {
                const int k = k0 + i / BN, c = c0 + i % BN;
                Bs[i / BN][i % BN] = k < N && c < N ? B[k * N + c] : 0.0f;
            }
        }
        __syncthreads();
        for (int k = 0; k < BK; ++k) {
            const float4 b = *reinterpret_cast<const float4 *>(&Bs[k][4 * tx]);
            for (int i = 0; i < 2; ++i) {
                const float a = As[ty + 16 * i][k];
                s[i].x += a * b.x;
                s[i].y += a * b.y;
                s[i].z += a * b.z;
                s[i].w += a * b.w;
            }
        }
        __syncthreads();
    }

    for (int i = 0; i < 2; ++i) {
        const int r = r0 + ty + 16 * i, c = c0 + 4 * tx;
        if (r >= N || c >= N) continue;
        float *out = C + r * N + c;
        if constexpr (V) {
            *reinterpret_cast<float4 *>(out) = s[i];
        } else {
            out[0] = s[i].x;
            if (c + 1 < N) out[1] = s[i].y;
            if (c + 2 < N) out[2] = s[i].z;
            if (c + 3 < N) out[3] = s[i].w;
        }
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // the same answer in every thread of the grid
    const bool aligned = (reinterpret_cast<uintptr_t>(B) | reinterpret_cast<uintptr_t>(C)) % 16 == 0;
    if (aligned && N % 4 == 0)
        gemm<true>(A, B, C, N);
    else
        gemm<false>(A, B, C, N);
}

LAUNCH(.block = {256}, .tile = {BN, BM});
