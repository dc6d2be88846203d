// expect: launch-failed; says: threads cannot be launched
// Launches more threads than 64 bits can count, in case a product of sizes overflows.
#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float sum = 0;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}
LAUNCH(.block = {4294967295u, 4294967295u, 4294967295u});
