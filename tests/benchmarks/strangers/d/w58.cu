#include <lab.h>

#define BS 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BS * BS];
    __shared__ float Bs[BS * BS];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * BS + ty;
    const int col = blockIdx.x * BS + tx;

    float c = 0.0f;
    for (int k0 = 0; k0 < N; k0 += BS) {
        if (row < N && k0 + tx < N)
            As[ty * BS + tx] = A[row * N + (k0 + tx)];
        else
            As[ty * BS + tx] = 0.0f;

        if (row < N && k0 + tx < N)
            Bs[ty * BS + tx] = B[min(k0 + ty, N - 1) * N + min(col, N - 1)];
        else
            Bs[ty * BS + tx] = 0.0f;
        __syncthreads();

        for (int k = 0; k < BS; ++k)
            c += As[ty * BS + k] * Bs[k * BS + tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = c;
}

LAUNCH(.block = {BS, BS}, .tile = {BS, BS});
