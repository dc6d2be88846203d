// expect: simulator data-race, cuda data-race or timeout; lines: 15, 28; says: If ready is a flag
// One warp loads a row of A for another and raises a flag in shared memory that is not volatile: its loop reads it once.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float row_of_a[512];
    __shared__ int ready;
    int t = threadIdx.x, row = blockIdx.y, col = blockIdx.x * 64 + t;
    if (t == 0)
        ready = 0;
    __syncthreads();
    if (t < 32) {
        for (int k = t; k < N; k += 32)
            row_of_a[k] = A[row * N + k];
        __syncwarp();
        __threadfence_block();
        if (t == 0)
            ready = 1;
    } else {
        while (!ready)
            ;
        __threadfence_block();
    }
    float sum = 0.0f;
    if (col < N) {
        for (int k = 0; k < N; ++k)
            sum += row_of_a[k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {64}, .tile = {64, 1});
