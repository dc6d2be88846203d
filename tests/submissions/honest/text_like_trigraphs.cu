// expect: ok
// Question marks that were trigraphs in old C++.
#include <lab.h>

// What is this??/
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const char *text = "what??! is??( this??)";  // ??/
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= N || col >= N || text[0] != 'w')
        return;
    float s = 0;
    for (int k = 0; k < N; ++k)
        s += A[row * N + k] * B[k * N + col];
    C[row * N + col] = s;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
