#include <lab.h>

// float4 along the columns where N allows it, otherwise scalar
__device__ __forceinline__ float4 load4(const float *row, int c, int N, bool vec)
{
    if (vec && c < N)
        return *reinterpret_cast<const float4 *>(row + c);
    float4 v;
    v.x = c     < N ? row[c]     : 0.0f;
    v.y = c + 1 < N ? row[c + 1] : 0.0f;
    v.z = c + 2 < N ? row[c + 2] : 0.0f;
    v.w = c + 3 < N ? row[c + 3] : 0.0f;
    return v;
}

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    const bool vec = (N & 3) == 0;
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int c = blockIdx.x * 64 + threadIdx.x * 4;
    if (row >= N || c >= N)
        return;

    float4 s = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int k = 0; k < N; ++k) {
        const float a = A[row * N + k];
        const float4 b = load4(B + k * N, c, N, vec);
        s.x = fmaf(a, b.x, s.x);
        s.y = fmaf(a, b.y, s.y);
        s.z = fmaf(a, b.z, s.z);
        s.w = fmaf(a, b.w, s.w);
    }

    float *dst = C + row * N + c;
    if (vec) {
        *reinterpret_cast<float4 *>(dst) = s;
    } else {
        dst[0] = s.x;
        if (c + 1 < N) dst[1] = s.y;
        if (c + 2 < N) dst[2] = s.z;
        if (c + 3 < N) dst[3] = s.w;
    }
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
