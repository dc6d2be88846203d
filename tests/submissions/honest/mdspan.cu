// expect: ok
// Reads and writes the matrices through mdspan of libcu++.
#include <cuda/std/mdspan>
#include <lab.h>
using M = cuda::std::mdspan<const float, cuda::std::dextents<int, 2>>;
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= N || col >= N)
        return;
    M a(A, N, N), b(B, N, N);
    cuda::std::mdspan<float, cuda::std::dextents<int, 2>> c(C, N, N);
    float s = 0;
    for (int k = 0; k < a.extent(1); ++k)
        s += a(row, k) * b(k, col);
    c(row, col) = s;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
