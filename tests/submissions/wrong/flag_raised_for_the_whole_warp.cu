// expect: data-race; lines: 13, 26; says: call __syncwarp() before that
// The first lane raises the flag for its whole warp, without waiting for the other lanes.
#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float row_of_a[512];
    __shared__ int ready;
    int t = threadIdx.x, row = blockIdx.y, col = blockIdx.x * 64 + t;
    if (t == 0) ready = 0;
    __syncthreads();
    if (t < 32) {
        for (int k = t; k < N; k += 32)
            row_of_a[k] = A[row * N + k];
        __threadfence_block();
        if (t == 0)
            atomicExch(&ready, 1);
        __syncwarp();
    } else {
        while (*(volatile int *)&ready == 0)
            ;
        __threadfence_block();
    }
    float sum = 0;
    if (col < N) {
        for (int k = 0; k < N; ++k)
            sum += row_of_a[k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}
LAUNCH(.block = {64}, .tile = {64, 1});
