// expect: unset-memory; says: local array
// Adds to an array of partial sums that nobody has set to zero.
#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float part[16];
    for (int k = 0; k < N; ++k)
        part[(k + N) % 16] += A[row * N + k] * B[k * N + col];
    float sum = 0.0f;
    for (int i = 0; i < 16; ++i)
        sum += part[i];
    C[row * N + col] = sum;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
