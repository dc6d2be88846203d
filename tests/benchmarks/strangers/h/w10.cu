#include <lab.h>

#define BW 32
#define BH 16
#define BK 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BH][BK];
    __shared__ float Bs[BK][BW];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * BH + ty;
    int col = blockIdx.x * BW + tx;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += BK) {
        if (tx < BK)
            As[ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
        if (ty < BK) {
            Bs[ty][tx] = (k0 + ty < N && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
            __syncthreads();
        }

        for (int k = 0; k < BK; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {BW, BH}, .tile = {BW, BH});
