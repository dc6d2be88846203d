// expect: wrong-answer
// All three matrices are indexed column by column, as in Fortran.
#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N) return;
    float s = 0;
    for (int k = 0; k < N; ++k) s += A[row + k * N] * B[k + col * N];
    C[row + col * N] = s;
}
