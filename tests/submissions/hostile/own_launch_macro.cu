// expect: launch-failed
// Replaces LAUNCH by a macro that defines nothing, and writes other numbers into the grader's variable.
#include <lab.h>

#undef LAUNCH
#define LAUNCH(...) static_assert(true)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

namespace __lab_scope
{
__constant__ __attribute__((used)) __LabLaunch __lab_launch = {{16, 16, 64}, {1, 1}, 0, __lab_names::COLUMNS};
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
