// expect: wrong-answer; says: which still holds what line
// Counts the launches and keeps the sums: only both variables together explain what the second launch adds.
#include <lab.h>

#define LARGEST 300
__device__ float sums[LARGEST * LARGEST];
__device__ int rounds[LARGEST * LARGEST];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    int place = row * N + col;
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    rounds[place] += 1;
    sums[place] += sum * rounds[place];
    C[place] = sums[place];
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
