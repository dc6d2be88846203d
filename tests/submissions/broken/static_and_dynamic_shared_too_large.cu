// expect: launch-failed; says: bytes of shared memory
// The tile of A in 32 KB of a fixed size, and that of B in 200 KB of dynamic shared memory: each would fit alone.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[8192];
    extern __shared__ float b[];
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float sum = 0.0f;
    for (int k = 0; k < N; ++k) {
        a[t] = A[row * N + k];
        b[t] = B[k * N + col];
        sum += a[t] * b[t];
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16}, .shared = 200 << 10);
