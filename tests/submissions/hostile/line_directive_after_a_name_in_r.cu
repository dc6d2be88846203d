// expect: compile-error; says: #line
// Claims lines far beyond the file, and hides that in what looks like a raw string but follows a name that ends in R.
#include <lab.h>

#define éR
const char *text = éR"x(";
#line 77777
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}
// )x"

LAUNCH(.block = {16, 16}, .tile = {16, 16});
