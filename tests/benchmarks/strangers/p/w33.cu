#include <lab.h>

#define BX 32
#define BY 4
#define BZ 8

/* split-K inside the block, combined with atomicAdd */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * BX + threadIdx.x;
    const int row = blockIdx.y * BY + threadIdx.y;
    const bool inside = row < N && col < N;

    if (inside && threadIdx.z == 0)
        C[row * N + col] = 0.0f;

    const int len = (N + BZ - 1) / BZ;
    const int k0 = threadIdx.z * len;
    const int k1 = k0 + len < N ? k0 + len : N;

    if (inside && k0 < k1) {
        float sum = 0.0f;
        for (int k = k0; k < k1; k++)
            sum += A[row * N + k] * B[k * N + col];
        atomicAdd(C + row * N + col, sum);
    }
}

LAUNCH(.block = {BX, BY, BZ}, .tile = {BX, BY});
