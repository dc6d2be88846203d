#include <lab.h>

#define KTHREADS 8

// 32 columns of one row per block; 8 threads share every dot product
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float out[32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int col = blockIdx.x * 32 + tx;
    const int row = blockIdx.y;

    if (ty == 0)
        out[tx] = 0.0f;
    __syncthreads();

    if (col < N) {
        float part = 0.0f;
        for (int k = ty; k < N; k += KTHREADS)
            part += A[row * N + k] * B[k * N + col];
        out[tx] += part;
    }
    __syncthreads();

    if (ty == 0 && col < N)
        C[row * N + col] = out[tx];
}

LAUNCH(.block = {32, KTHREADS}, .tile = {32, 1});
