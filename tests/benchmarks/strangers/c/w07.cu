#include <lab.h>

#define TX 16
#define TY 16
#define SPLITK 4

// split-K: threadIdx.z takes every 4th k, results are combined with atomics
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = blockIdx.x * TX + threadIdx.x;
    int y = blockIdx.y * TY + threadIdx.y;

    if (x < N && y < N) {
        float partial = 0.f;
        for (int k = threadIdx.z; k < N; k += SPLITK)
            partial += A[y * N + k] * B[k * N + x];
        atomicAdd(&C[y * N + x], partial);
    }
}

LAUNCH(.block = {TX, TY, SPLITK}, .tile = {TX, TY});
