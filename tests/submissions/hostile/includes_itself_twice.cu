// expect: compile-error; says: CPU time
// Includes itself twice at each of 150 levels, so that the preprocessor never ends.
#if __INCLUDE_LEVEL__ < 150
#include __FILE__
#include __FILE__
#endif
#if __INCLUDE_LEVEL__ == 0
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
#endif
