// expect: simulator data-race, cuda data-race or timeout; lines: 18, 20; says: Line 20 waits for the value that line 18 writes
// Block 0 of each row raises a flag in global memory that is neither volatile nor atomic; the others read what it wrote.
#include <lab.h>

__device__ int ready[4096];
__device__ float kept[1024 * 1024];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.x + threadIdx.x;
    if (row >= N)
        return;
    int col = blockIdx.x;
    if (col == 0) {
        for (int k = 0; k < N; ++k)
            kept[row * N + k] = A[row * N + k];
        __threadfence();
        ready[row] = 1;
    }
    while (ready[row] == 0)
        __nanosleep(20);
    __threadfence();
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += kept[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {32}, .tile = {1, 32});
