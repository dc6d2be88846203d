#include <lab.h>

#define PARTS 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int z   = threadIdx.z;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;

    // each z adds its part of the dot product
    const int begin = (long long)N * z / PARTS;
    const int end   = (long long)N * (z + 1) / PARTS;

    if (row < N && col < N) {
        float part = 0.0f;
        for (int k = begin; k != end; ++k)
            part += A[row * N + k] * B[k * N + col];
        atomicAdd(&C[row * N + col], part);
    }
}

LAUNCH(.block = {16, 8, PARTS}, .tile = {16, 8});
