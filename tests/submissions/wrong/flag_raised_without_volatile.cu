// expect: data-race; lines: 17, 19; says: to a volatile flag
// The waiting block reads the flag as volatile, but the raising one writes a plain int.
#include <lab.h>

__device__ int ready[4096];
__device__ float kept[1024 * 1024];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.x + threadIdx.x, col = blockIdx.x;
    if (row >= N)
        return;
    if (col == 0) {
        for (int k = 0; k < N; ++k)
            kept[row * N + k] = A[row * N + k];
        __threadfence();
        ready[row] = 1;
    }
    while (*(volatile int *)&ready[row] == 0)
        ;
    __threadfence();
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += kept[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {32}, .tile = {1, 32});
