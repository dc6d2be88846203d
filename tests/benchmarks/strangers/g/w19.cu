#include <lab.h>

// Each group of 32 x 8 threads computes a part of the sum; a lock protects the result.
constexpr int GX = 32, GY = 8, GROUPS = 2;

__shared__ int lock;

__device__ void lock_acquire()
{
    while (atomicCAS(&lock, 1, 0) != 0)
        ;
    __threadfence_block();
}

__device__ void lock_release()
{
    __threadfence_block();
    atomicExch(&lock, 0);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ volatile float result[GY][GX];

    const int x = threadIdx.x, y = threadIdx.y, group = threadIdx.z;
    const int i = blockIdx.y * GY + y;
    const int j = blockIdx.x * GX + x;

    if (x == 0 && y == 0 && group == 0)
        lock = 0;
    if (group == 0)
        result[y][x] = 0.0f;
    __syncthreads();

    float mine = 0.0f;
    if (i < N && j < N)
        for (int k = group; k < N; k += GROUPS)
            mine += A[i * N + k] * B[k * N + j];

    lock_acquire();
    result[y][x] = result[y][x] + mine;
    lock_release();
    __syncthreads();

    if (group == 0 && i < N && j < N)
        C[i * N + j] = result[y][x];
}

LAUNCH(.block = {GX, GY, GROUPS}, .tile = {GX, GY});
