#include <lab.h>

#define SPLIT 4

// split-K inside of the block, added up with atomics
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const bool valid = (row < N) && (col < N);

    if (valid && threadIdx.z == 0)
        C[row * N + col] = 0.0f;
    __syncthreads();

    if (!valid) return;

    const int per = (N + SPLIT - 1) / SPLIT;
    const int k_begin = threadIdx.z * per;
    const int k_end = min(k_begin + per, N);

    float part = 0.0f;
    for (int k = k_begin; k < k_end; ++k)
        part += A[row * N + k] * B[k * N + col];

    atomicAdd(&C[row * N + col], part);
}

LAUNCH(.block = {32, 8, SPLIT}, .tile = {32, 8});
