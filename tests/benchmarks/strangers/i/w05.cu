#include <lab.h>

// Two threads per element: threadIdx.z = 0 takes the first half of k, 1 the second half.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * 16 + threadIdx.x;
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int half = N / 2;
    const int begin = threadIdx.z == 0 ? 0 : half;
    const int end = threadIdx.z == 0 ? half : N;
    const bool inside = row < N && col < N;

    float sum = 0.0f;
    if (inside)
        for (int k = begin; k < end; ++k)
            sum += A[row * N + k] * B[k * N + col];

    if (inside && threadIdx.z == 0)
        C[row * N + col] = sum;
    if (inside && threadIdx.z == 1)
        C[row * N + col] += sum;
}

LAUNCH(.block = {16, 16, 2}, .tile = {16, 16});
