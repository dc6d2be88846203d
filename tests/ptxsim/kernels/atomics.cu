#include <lab.h>

__device__ int lock;
__constant__ float scale[2] = {1.0f, 2.0f};

// Threads along z split the sum over k.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    __shared__ float sum[8][8];
    __shared__ int held;
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * 8 + x, row = blockIdx.y * 8 + y;
    if (threadIdx.z == 0) sum[y][x] = 0.0f;
    if (x + y + threadIdx.z == 0) held = 0;
    __syncthreads();
    float part = 0.0f;
    if (row < N && col < N)
        for (int k = threadIdx.z; k < N; k += blockDim.z) part += scale[0] * A[row * N + k] * B[k * N + col];
    atomicAdd(&sum[y][x], part);
    while (atomicCAS(&lock, 0, 1) != 0) __nanosleep(10);
    ++held;
    __threadfence();
    atomicExch(&lock, 0);
    __shared__ int scratch;
    if (x + y + threadIdx.z == 0) {
        scratch = 7;
        atomicMax(&scratch, 9);
        atomicMin(&scratch, 8);
        atomicOr(&scratch, 1);
        atomicAnd(&scratch, 3);
        atomicXor(&scratch, 1);
        held += atomicSub(&scratch, 1);
    }
    int threads = __syncthreads_count(part == part);
    if (threadIdx.z == 0 && row < N && col < N) C[row * N + col] = held == threads ? sum[y][x] : -1.0f;
}

LAUNCH(.block = {8, 8, 4}, .tile = {8, 8});
