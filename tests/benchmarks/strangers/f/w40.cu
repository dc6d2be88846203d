#include <lab.h>

#define W 8
#define SPLIT 4

__device__ void lockedAdd(int *lock, volatile float *dst, float v)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            *dst = *dst + v;
            __threadfence_block();
            done = true;
        }
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float total[W][W];
    __shared__ int   locks[W][W];     // one lock per result

    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    int col = blockIdx.x * W + x;
    int row = blockIdx.y * W + y;

    if (z == 0) {
        total[y][x] = 0.0f;
        locks[y][x] = 0;
    }
    __syncthreads();

    float p = 0.0f;
    if (row < N && col < N)
        for (int k = z; k < N; k += SPLIT)
            p += A[row * N + k] * B[k * N + col];
    lockedAdd(&locks[y][x], &total[y][x], p);
    __syncthreads();

    if (z == 0 && row < N && col < N)
        C[row * N + col] = total[y][x];
}

LAUNCH(.block = {W, W, SPLIT}, .tile = {W, W});
