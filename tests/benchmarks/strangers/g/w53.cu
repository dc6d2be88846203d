#include <lab.h>

// Vectorised along k for A, scalar for B.

__device__ float dot_vec(const float *a, const float *b, int N)
{
    float s = 0.0f;
    for (int k = 0; k < N; k += 4) {
        const float4 v = *reinterpret_cast<const float4 *>(a + k);
        s += v.x * b[(k + 0) * N];
        s += v.y * b[(k + 1) * N];
        s += v.z * b[(k + 2) * N];
        s += v.w * b[(k + 3) * N];
    }
    return s;
}

__device__ float dot_scalar(const float *a, const float *b, int N)
{
    float s = 0.0f;
    for (int k = 0; k < N; ++k)
        s += a[k] * b[k * N];
    return s;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y * 8 + threadIdx.y;
    if (row >= N || col >= N)
        return;

    const float *a = A + row * N;
    const float *b = B + col;

    if (N % 2 == 0) // the rows are aligned
        C[row * N + col] = dot_vec(a, b, N);
    else
        C[row * N + col] = dot_scalar(a, b, N);
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
