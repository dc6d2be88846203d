// expect: wrong-answer; says: never written
// Declares a tile of 10 billion elements, so that the judge would allocate as many for its explanation.
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
LAUNCH(.block = {16, 16}, .tile = {100000, 100000});
