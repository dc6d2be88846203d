#include <lab.h>

#define KSPLIT 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * 16 + threadIdx.x;
    const int row = blockIdx.y * 16 + threadIdx.y;
    const bool valid = row < N && col < N;

    // layer 0 clears the result
    if (valid && threadIdx.z == 0)
        C[row * N + col] = 0.0f;

    const int chunk = (N + KSPLIT - 1) / KSPLIT;
    const int begin = threadIdx.z * chunk;
    const int end = min(begin + chunk, N);
    if (valid) {
        float part = 0.0f;
        for (int k = begin; k < end; ++k)
            part += A[row * N + k] * B[k * N + col];
        atomicAdd(&C[row * N + col], part);
    }
}

LAUNCH(.block = {16, 16, KSPLIT}, .tile = {16, 16});
