#include <lab.h>

// Ported from my MATLAB script:
//   for i = 1:n, for j = 1:n, c(i,j) = 0; for k = 1:n, c(i,j) = c(i,j) + a(i,k)*b(k,j); end, end, end
#define a(i, j) A[(i) * N + (j)]
#define b(i, j) B[(i) * N + (j)]
#define c(i, j) C[(i) * N + (j)]

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i = threadIdx.y + blockDim.y * blockIdx.y;
    int j = threadIdx.x + blockDim.x * blockIdx.x;
    if (i > N - 1 || j > N - 1)
        return;

    float cij = 0;
    for (int k = 1; k < N; k++)
        cij = cij + a(i, k) * b(k, j);
    c(i, j) = cij;
}

LAUNCH(.block = {32, 4}, .tile = {32, 4});
