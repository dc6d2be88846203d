// expect: wrong-answer; says: input
// Computes C correctly, but then the last block to finish sets A to zero: a check that recomputes the answer from the
// inputs in memory gets a different one.
#include <lab.h>

__device__ unsigned done;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ bool last;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0)
        last = atomicAdd(&done, 1u) % (gridDim.x * gridDim.y) == gridDim.x * gridDim.y - 1;
    __syncthreads();
    if (last)
        for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < N * N; i += blockDim.x * blockDim.y)
            const_cast<float *>(A)[i] = 0.0f;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
