#include <lab.h>

#define T 16
#define SPLIT 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float total[T][T];
    int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
    int col = blockIdx.x * T + tx, row = blockIdx.y * T + ty;

    if (tz == 0)
        total[ty][tx] = 0.0f;
    __syncthreads();

    if (row < N && col < N) {
        float part = 0.0f;
        for (int k = tz; k < N; k += SPLIT)
            part += A[row * N + k] * B[k * N + col];
        total[ty][tx] += part;
    }
    __syncthreads();

    if (tz == 0 && row < N && col < N)
        C[row * N + col] = total[ty][tx];
}

LAUNCH(.block = {T, T, SPLIT}, .tile = {T, T});
