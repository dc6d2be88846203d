#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // position of element (i, j)
    auto at = [N](int i, int j) { return j * N + i; };

    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N || j >= N) return;

    float dot = 0;
    for (int k = 0; k < N; k++)
        dot += A[at(i, k)] * B[at(k, j)];
    C[at(i, j)] = dot;
}

LAUNCH(.block = {8, 32});
