#include <lab.h>

__device__ bool canVectorise(int n) { return n % 2 == 0; }

template <bool VEC>
__device__ float4 four(const float *p, int count)
{
    if (VEC)
        return *reinterpret_cast<const float4 *>(p);
    float4 v = make_float4(0, 0, 0, 0);
    if (count > 0) v.x = p[0];
    if (count > 1) v.y = p[1];
    if (count > 2) v.z = p[2];
    if (count > 3) v.w = p[3];
    return v;
}

template <bool VEC>
__device__ void multiply(const float *A, const float *B, float *C, int N, int row, int col)
{
    const int count = min(4, N - col);
    const bool vec4 = VEC && count == 4;
    float4 s = make_float4(0, 0, 0, 0);
    for (int k = 0; k < N; ++k) {
        const float a = A[row * N + k];
        const float4 b = vec4 ? four<true>(B + k * N + col, 4) : four<false>(B + k * N + col, count);
        s.x += a * b.x; s.y += a * b.y; s.z += a * b.z; s.w += a * b.w;
    }
    float *c = C + row * N + col;
    if (count > 0) c[0] = s.x;
    if (count > 1) c[1] = s.y;
    if (count > 2) c[2] = s.z;
    if (count > 3) c[3] = s.w;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = (blockIdx.x * 16 + threadIdx.x) * 4;
    if (row >= N || col >= N)
        return;
    if (canVectorise(N))
        multiply<true>(A, B, C, N, row, col);
    else
        multiply<false>(A, B, C, N, row, col);
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
