// expect: compile-error
// Calls a function without __device__: it exists on the host only, which the simulator does not always detect.
#include <lab.h>

float dot(const float *row_of_a, const float *column_of_b, int N)
{
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += row_of_a[k] * column_of_b[k * N];
    return sum;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N)
        C[row * N + col] = dot(A + row * N, B + col, N);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
