#include <lab.h>

/*
 * 4x1 register blocking.
 * A thread owns C[row .. row+3][col].
 */

__device__ __forceinline__ void rank1(float4 acc, float4 a, float b)
{
    acc.x += a.x * b;
    acc.y += a.y * b;
    acc.z += a.z * b;
    acc.w += a.w * b;
}

__device__ __forceinline__ float pick(const float *M, int r, int c, int n)
{
    return (r < n && c < n) ? M[r * n + c] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = 4 * (blockIdx.y * blockDim.y + threadIdx.y);

    float4 acc = {0.f, 0.f, 0.f, 0.f};

    for (int k = 0; k < N; ++k) {
        float4 a = make_float4(pick(A, row, k, N), pick(A, row + 1, k, N),
                               pick(A, row + 2, k, N), pick(A, row + 3, k, N));
        rank1(acc, a, pick(B, k, col, N));
    }

    if (col < N) {
        if (row + 0 < N) C[(row + 0) * N + col] = acc.x;
        if (row + 1 < N) C[(row + 1) * N + col] = acc.y;
        if (row + 2 < N) C[(row + 2) * N + col] = acc.z;
        if (row + 3 < N) C[(row + 3) * N + col] = acc.w;
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 32});
