#include <lab.h>

// float4 has no operators in CUDA, so define them
__device__ inline float4 operator*(float s, float4 v)
{
    return make_float4(v.x * s, v.y * s, v.z * s, v.z * s);
}

__device__ inline float4 &operator+=(float4 &a, float4 b)
{
    a.x += b.x; a.y += b.y; a.z += b.z; a.w += b.w;
    return a;
}

__device__ float4 row4(const float *M, int r, int c, int n)
{
    if (n % 4 == 0 && c < n)                          // aligned
        return *(const float4 *)&M[r * n + c];
    float4 v = make_float4(0, 0, 0, 0);
    if (c < n)     v.x = M[r * n + c];
    if (c + 1 < n) v.y = M[r * n + c + 1];
    if (c + 2 < n) v.z = M[r * n + c + 2];
    if (c + 3 < n) v.w = M[r * n + c + 3];
    return v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int c = 4 * (blockIdx.x * 16 + threadIdx.x);
    int r = blockIdx.y * 16 + threadIdx.y;
    if (r >= N || c >= N) return;

    float4 sum = make_float4(0, 0, 0, 0);
    for (int k = 0; k < N; ++k)
        sum += A[r * N + k] * row4(B, k, c, N);

    C[r * N + c] = sum.x;
    if (c + 1 < N) C[r * N + c + 1] = sum.y;
    if (c + 2 < N) C[r * N + c + 2] = sum.z;
    if (c + 3 < N) C[r * N + c + 3] = sum.w;
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
