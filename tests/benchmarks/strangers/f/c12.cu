#include <lab.h>

#define T 32

// Reads 4 neighbours; one float4 if the rows are aligned, otherwise one by one with zeros outside.
template <bool ALIGNED>
__device__ __forceinline__ float4 quad(const float *__restrict__ m, int r, int c, int n)
{
    float4 q = make_float4(0.f, 0.f, 0.f, 0.f);
    if (r >= n) return q;
    const float *p = m + r * n + c;
    if (ALIGNED) {
        if (c < n) q = *reinterpret_cast<const float4 *>(p);
    } else {
        if (c + 0 < n) q.x = p[0];
        if (c + 1 < n) q.y = p[1];
        if (c + 2 < n) q.z = p[2];
        if (c + 3 < n) q.w = p[3];
    }
    return q;
}

template <bool ALIGNED>
__device__ void multiply(const float *A, const float *B, float *C, int n, float4 (*sa)[T / 4], float4 (*sb)[T / 4])
{
    const int qx = threadIdx.x, y = threadIdx.y;          // 8 quads x 32 rows
    const int row = blockIdx.y * T + y, col = blockIdx.x * T + 4 * qx;
    float4 s = make_float4(0.f, 0.f, 0.f, 0.f);
    for (int k0 = 0; k0 < n; k0 += T) {
        sa[y][qx] = quad<ALIGNED>(A, row, k0 + 4 * qx, n);
        sb[y][qx] = quad<ALIGNED>(B, k0 + y, col, n);
        __syncthreads();
        const float *a = reinterpret_cast<const float *>(sa[y]);
        for (int k = 0; k < T; ++k) {
            float4 b = sb[k][qx];
            s.x += a[k] * b.x; s.y += a[k] * b.y; s.z += a[k] * b.z; s.w += a[k] * b.w;
        }
        __syncthreads();
    }
    if (row >= n) return;
    float *out = C + row * n + col;
    if (ALIGNED) {
        if (col < n) *reinterpret_cast<float4 *>(out) = s;
    } else {
        if (col + 0 < n) out[0] = s.x;
        if (col + 1 < n) out[1] = s.y;
        if (col + 2 < n) out[2] = s.z;
        if (col + 3 < n) out[3] = s.w;
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float4 sa[T][T / 4], sb[T][T / 4];
    if (N % 4 == 0)
        multiply<true>(A, B, C, N, sa, sb);
    else
        multiply<false>(A, B, C, N, sa, sb);
}

LAUNCH(.block = {T / 4, T}, .tile = {T, T});
