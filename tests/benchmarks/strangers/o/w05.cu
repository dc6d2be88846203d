#include <lab.h>

// More threads per block = better occupancy.

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < N && y < N)
    {
        float acc = 0.0f;
        #pragma unroll 8
        for (int i = 0; i < N; ++i)
            acc = fmaf(A[y * N + i], B[i * N + x], acc);
        C[y * N + x] = acc;
    }
}

LAUNCH(.block = {64, 32}, .tile = {64, 32});
