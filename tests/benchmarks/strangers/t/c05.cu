#include <lab.h>
#include <cstdint>

__device__ __forceinline__ bool aligned16(const void *p)
{
    return (reinterpret_cast<uintptr_t>(p) & 15u) == 0;
}

// four columns per thread; vector accesses only where all rows start on 16 bytes
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= N || col >= N)
        return;

    const float *a = A + row * N;
    if (N % 4 == 0 && aligned16(B) && aligned16(C)) {
        float4 s = make_float4(0.f, 0.f, 0.f, 0.f);
        for (int k = 0; k < N; ++k) {
            const float4 b = *reinterpret_cast<const float4 *>(B + k * N + col);
            const float f = a[k];
            s.x = fmaf(f, b.x, s.x);
            s.y = fmaf(f, b.y, s.y);
            s.z = fmaf(f, b.z, s.z);
            s.w = fmaf(f, b.w, s.w);
        }
        *reinterpret_cast<float4 *>(C + row * N + col) = s;
        return;
    }

    const int end = min(col + 4, N);
    for (int j = col; j < end; ++j) {
        float s = 0.f;
        for (int k = 0; k < N; ++k)
            s = fmaf(a[k], B[k * N + j], s);
        C[row * N + j] = s;
    }
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
