#include <lab.h>

__device__ float DotProduct(const float* a, const float* b, int n)
{
    float result = 0.0f;
    for (int i = 0; i < n; ++i)
        result += a[i] * b[i * n];
    return result;
}

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N)
{
    const int idx_x = blockIdx.x * blockDim.x + threadIdx.x;
    const int idx_y = blockIdx.y * blockDim.y + threadIdx.y;
    if (idx_x >= N && idx_y >= N) return;

    C[idx_y * N + idx_x] = DotProduct(A + idx_y * N, B + idx_x, N);
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
