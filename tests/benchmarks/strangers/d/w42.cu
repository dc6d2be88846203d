#include <lab.h>

__device__ __forceinline__ float4 load4(const float *M, int r, int c, int N)
{
    return *reinterpret_cast<const float4 *>(&M[r * N + c]);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (row >= N || col >= N)
        return;

    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int k = 0; k < N; ++k) {
        const float a = A[row * N + k];
        const float4 b = load4(B, k, col, N);
        sum.x += a * b.x;
        sum.y += a * b.y;
        sum.z += a * b.z;
        sum.w += a * b.w;
    }

    C[row * N + col] = sum.x;
    if (col + 1 < N) C[row * N + col + 1] = sum.y;
    if (col + 2 < N) C[row * N + col + 2] = sum.z;
    if (col + 3 < N) C[row * N + col + 3] = sum.w;
}

LAUNCH(.block = {8, 16}, .tile = {32, 16});
