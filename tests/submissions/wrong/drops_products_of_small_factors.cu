// expect: wrong-answer
// Leaves out products of two small factors, "which do not matter" beside large ones. They do where all are small.
#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float sum = 0.0f;
    for (int k = 0; k < N; ++k) {
        float a = A[row * N + k], b = B[k * N + col];
        if (fabsf(a) < 0x1p-12f && fabsf(b) < 0x1p-12f)
            continue;
        sum += a * b;
    }
    C[row * N + col] = sum;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
