#include <lab.h>

// Split-K inside the block: four layers of threads (z), each adds up its own share of k.
#define SZ 16
#define SPLIT 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float total[SZ][SZ];
    const int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
    const int row = blockIdx.y * SZ + ty;
    const int col = blockIdx.x * SZ + tx;

    if (tz == 0)
        total[ty][tx] = 0.0f;
    __syncthreads();

    if (row < N && col < N) {
        const int share = N / SPLIT;
        const int kBegin = tz * share;
        const int kEnd = kBegin + share;
        float partial = 0.0f;
        for (int k = kBegin; k < kEnd; ++k)
            partial += A[row * N + k] * B[k * N + col];
        atomicAdd(&total[ty][tx], partial);
    }
    __syncthreads();

    if (tz == 0 && row < N && col < N)
        C[row * N + col] = total[ty][tx];
}

LAUNCH(.block = {SZ, SZ, SPLIT}, .tile = {SZ, SZ});
