// expect: data-race; lines: 13, 25; says: between line 13 and line 25
// Raises a flag for another warp without a fence before it.
#include <lab.h>
#define T 16
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float row_of_a[512];
    __shared__ int ready;
    int t = threadIdx.x, row = blockIdx.y;
    if (t == 0) ready = 0;
    __syncthreads();
    if (t < 32) {
        for (int k = t; k < N; k += 32) row_of_a[k] = A[row * N + k];
        __syncwarp();
        if (t == 0) atomicExch(&ready, 1);
    } else {
        while (*(volatile int *)&ready == 0)
            ;
        __threadfence_block();
    }
    __syncwarp();
    float sum = 0;
    int col = blockIdx.x * 64 + t;
    if (col < N) {
        for (int k = 0; k < N; ++k) sum += row_of_a[k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}
LAUNCH(.block = {64}, .tile = {64, 1});
