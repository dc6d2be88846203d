#include <lab.h>

#define SPLIT 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * 8 + threadIdx.x;
    const int row = blockIdx.y * 8 + threadIdx.y;
    const bool in = row < N && col < N;

    if (in && threadIdx.z == 0)
        C[row * N + col] = 0.0f;
    __syncthreads();

    if (in) {
        float part = 0.0f;
        for (int k = threadIdx.z; k < N; k += SPLIT)
            part += A[row * N + k] * B[k * N + col];
        C[row * N + col] += part;
    }
}

LAUNCH(.block = {8, 8, SPLIT}, .tile = {8, 8});
