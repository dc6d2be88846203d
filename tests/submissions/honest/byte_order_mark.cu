// Begins with a byte order mark, as some editors on Windows write it, and has their line ends.
#include <lab.h>
// BOM and CRLF; a comment that ends in a backslash \
   which goes on here
#define SUM(a, b) (a) + (b)
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float sum = 0;
    for (int k = 0; k < N; ++k)
        sum = SUM(sum, A[row * N + k] * B[k * N + col]);
    C[row * N + col] = sum;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
