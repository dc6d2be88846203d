#include <lab.h>

extern "C" __global__ void matmul(const float * __restrict__ A, const float * __restrict__ B, float * __restrict__ C, int N)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;

    if (row < N && col < N)
    {
        // read through the read-only cache
        float result = 0.0f;
        #pragma unroll 4
        for (int k = 0; k <= N; k++)
        {
            const float a = __ldg(&A[row * N + k]);
            const float b = __ldg(&B[k * N + col]);
            result = __fmaf_rn(a, b, result);
        }
        C[row * N + col] = result;
    }
}

LAUNCH(.block = {64, 4}, .tile = {64, 4});
