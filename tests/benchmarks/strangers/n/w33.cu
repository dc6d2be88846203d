#include <lab.h>
#include <cuda_fp16.h>

typedef __half acc_t;

#define PER_THREAD 4

// Every thread computes four neighbouring elements of a column.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col  = blockIdx.x * 32 + threadIdx.x;
    int row0 = (blockIdx.y * 4 + threadIdx.y) * PER_THREAD;

    acc_t acc[PER_THREAD];
    for (int i = 0; i < PER_THREAD; i++)
        acc[i] = acc_t(0.0f);

    if (col < N) {
        for (int k = 0; k < N; k++) {
            float b = B[k * N + col];
            for (int i = 0; i < PER_THREAD; i++)
                if (row0 + i < N)
                    acc[i] = acc[i] + acc_t(A[(row0 + i) * N + k] * b);
        }
        for (int i = 0; i < PER_THREAD; i++)
            if (row0 + i < N)
                C[(row0 + i) * N + col] = float(acc[i]);
    }
}

LAUNCH(.block = {32, 4}, .tile = {32, 4 * PER_THREAD});
