// expect: simulator wrong-answer, cuda wrong-answer or ok; says: a pointer to an array of its own
// A function returns a pointer to its own array, which no longer exists when the kernel adds its elements.
#include <lab.h>

#define PARTS 4

__device__ __noinline__ const float *parts_of_sum(const float *A, const float *B, int row, int col, int N)
{
    float parts[PARTS] = {};
    for (int k = 0; k < N; ++k)
        parts[k % PARTS] += A[row * N + k] * B[k * N + col];
    const float *result = parts;
    return result;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    const float *parts = parts_of_sum(A, B, row, col, N);
    float sum = 0.0f;
    for (int i = 0; i < PARTS; ++i)
        sum += parts[i];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
