#include <lab.h>

#define KSPLIT 2

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int half = (N + KSPLIT - 1) / KSPLIT;
    int from = threadIdx.z * half;
    int to = min(N, from + half);

    float p = 0.f;
    if (row < N && col < N) {
        for (int k = from; k < to; k++)
            p += A[row * N + k] * B[k * N + col];
    }
    __syncthreads();
    if (row < N && col < N)
        atomicAdd(C + row * N + col, p);
}

LAUNCH(.block = {16, 16, KSPLIT}, .tile = {16, 16});
