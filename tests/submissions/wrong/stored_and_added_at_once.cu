// expect: data-race; lines: 10; says: between the two accesses in line 10
// One half of the threads stores its sum, the other adds to it, and nothing orders the two.
#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= N || col >= N) return;
    float s = 0;
    for (int k = threadIdx.z; k < N; k += 2) s += A[row * N + k] * B[k * N + col];
    if (threadIdx.z == 0) C[row * N + col] = s; else atomicAdd(&C[row * N + col], s);
}
LAUNCH(.block = {16, 8, 2}, .tile = {16, 8});
