#include <lab.h>
#include <cstdint>

// Four neighbouring columns per thread. float4 only where every row starts at a multiple of 16 bytes.
__device__ __forceinline__ float4 load4(const float *row, int c, int N, bool vec)
{
    if (vec)
        return c < N ? *reinterpret_cast<const float4 *>(row + c) : make_float4(0.f, 0.f, 0.f, 0.f);
    float4 v;
    v.x = c + 0 < N ? row[c + 0] : 0.f;
    v.y = c + 1 < N ? row[c + 1] : 0.f;
    v.z = c + 2 < N ? row[c + 2] : 0.f;
    v.w = c + 3 < N ? row[c + 3] : 0.f;
    return v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int c = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= N || r >= N)
        return;

    const bool vecB = N % 4 == 0 && reinterpret_cast<uintptr_t>(B) % 16 == 0;
    const bool vecC = N % 4 == 0 && reinterpret_cast<uintptr_t>(C) % 16 == 0;

    float4 s = make_float4(0.f, 0.f, 0.f, 0.f);
    for (int k = 0; k < N; ++k) {
        const float a = A[(size_t)r * N + k];
        const float4 b = load4(B + (size_t)k * N, c, N, vecB);
        s.x += a * b.x;
        s.y += a * b.y;
        s.z += a * b.z;
        s.w += a * b.w;
    }

    float *out = C + (size_t)r * N + c;
    if (vecC) {
        *reinterpret_cast<float4 *>(out) = s;
        return;
    }
    out[0] = s.x;
    if (c + 1 < N) out[1] = s.y;
    if (c + 2 < N) out[2] = s.z;
    if (c + 3 < N) out[3] = s.w;
}

LAUNCH(.block = {8, 16}, .tile = {32, 16});
