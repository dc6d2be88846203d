// expect: simulator ok, cuda ok or timeout
// Every thread takes one lock to store its element, and lets go of it inside of the loop, as warps need it. An H200 needs
// 0.1 s for N = 100 and more than 5 s for N = 257, because all threads try again and again.
#include <lab.h>

__device__ int lock;
__device__ int stored;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];

    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence();
            C[row * N + col] = sum;
            stored = stored + 1;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
