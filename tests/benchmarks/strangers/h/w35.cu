#include <lab.h>

__device__ void multiply_add(float x, float y, float acc)
{
    acc += x * y;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N && j < N) {
        float total = 0.0f;
        for (int k = 0; k < N; k++)
            multiply_add(A[i * N + k], B[k * N + j], total);
        C[i * N + j] = total;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
