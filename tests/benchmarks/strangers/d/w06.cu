#include <lab.h>

#define BM 16
#define BN 64
#define BK 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM][BK];
    __shared__ float Bs[BK][BN];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * BM + ty;
    const int col = blockIdx.x * BN + tx;
    float acc[4] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        As[ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int c = col + 16 * j;
            Bs[ty][tx + 16 * j] = k0 + ty < N && c < N ? B[(k0 + ty) * N + c] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < BK; ++k)
#pragma unroll
            for (int j = 0; j < 4; ++j)
                acc[j] += As[ty][k] * Bs[k][tx + 16 * j];
        __syncthreads();
    }
    for (int j = 0; j < 4; ++j)
        if (row < N && col + 16 * j < N)
            C[row * N + col + 16 * j] = acc[j];
}

LAUNCH(.block = {16, 16}, .tile = {BM, BN});
