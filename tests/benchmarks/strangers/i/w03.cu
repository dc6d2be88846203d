#include <lab.h>

#define SLICES 8

// Split-K: each thread sums every 8th product, the total is collected in shared memory.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float total[32];

    const int col = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y;
    const int slice = threadIdx.y;

    if (slice == 0) total[threadIdx.x] = 0.0f;
    __syncthreads();

    if (col < N) {
        float mine = 0.0f;
        for (int k = slice; k < N; k += SLICES)
            mine = fmaf(A[row * N + k], B[k * N + col], mine);
        total[threadIdx.x] += mine;
    }
    __syncthreads();

    if (slice == 0 && col < N)
        C[row * N + col] = total[threadIdx.x];
}

LAUNCH(.block = {32, SLICES}, .tile = {32, 1});
