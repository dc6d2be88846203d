// expect: ok
// Two buffers in global memory, of which each launch uses the other: values stay from the launch before, and none of
// them reaches C.
#include <lab.h>

__device__ float kept[2][1024 * 1024];
__device__ int half;
__device__ unsigned blocks_done;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float *mine = kept[half];
    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
        mine[row * N + col] = sum;
        C[row * N + col] = mine[row * N + col];
    }
    __syncthreads();
    __threadfence();
    if (threadIdx.x == 0 && threadIdx.y == 0 && atomicAdd(&blocks_done, 1u) == gridDim.x * gridDim.y - 1) {
        blocks_done = 0;
        half = 1 - half;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
