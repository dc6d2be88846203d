#include <lab.h>

typedef unsigned int uint32;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    uint32 n = (uint32)N;
    uint32 r = blockIdx.y * blockDim.y + threadIdx.y;
    uint32 c = blockIdx.x * blockDim.x + threadIdx.x;

    if (r < n && c < n)
    {
        float acc = 0.0f;
        /* counting down to zero is cheaper on our MCU, so do it here as well */
        for (uint32 k = n - 1; k >= 0; k--)
        {
            acc += A[r * n + k] * B[k * n + c];
        }
        C[r * n + c] = acc;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
