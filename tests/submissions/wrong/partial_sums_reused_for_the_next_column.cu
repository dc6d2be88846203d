// expect: data-race; lines: 20, 23; says: between line 23 and line 20, which follows in the next iteration
// Adds up four columns one after the other in one array, and fills it again while the first thread still reads.
#include <lab.h>

#define THREADS 128
#define COLUMNS 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sums[THREADS / 32];
    int t = threadIdx.x, row = blockIdx.y;
    for (int i = 0; i < COLUMNS; ++i) {
        int col = blockIdx.x * COLUMNS + i;
        float sum = 0.0f;
        for (int k = t; k < N && col < N; k += THREADS)
            sum += A[row * N + k] * B[k * N + col];
        for (int offset = 16; offset > 0; offset >>= 1)
            sum += __shfl_xor_sync(0xffffffffu, sum, offset);
        if (t % 32 == 0)
            sums[t / 32] = sum;
        __syncthreads();
        if (t == 0 && col < N)
            C[row * N + col] = sums[0] + sums[1] + sums[2] + sums[3];
    }
}

LAUNCH(.block = {THREADS}, .tile = {COLUMNS, 1});
