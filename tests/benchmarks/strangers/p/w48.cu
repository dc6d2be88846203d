#include <lab.h>

static const int TS = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float Ads[TS][TS];
    __shared__ float Bds[TS][TS];

    int row = blockIdx.y * TS + threadIdx.y;
    int col = blockIdx.x * TS + threadIdx.x;

    if (row >= N || col >= N)
        return;

    float acc = 0.0f;
    for (int m = 0; m < (N + TS - 1) / TS; ++m)
    {
        int ka = m * TS + threadIdx.x;
        int kb = m * TS + threadIdx.y;
        Ads[threadIdx.y][threadIdx.x] = ka < N && row < N ? A[row * N + ka] : 0.0f;
        Bds[threadIdx.y][threadIdx.x] = kb < N && col < N ? B[kb * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TS; ++k)
            acc += Ads[threadIdx.y][k] * Bds[k][threadIdx.x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});
