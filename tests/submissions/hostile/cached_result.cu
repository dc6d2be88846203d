// expect: wrong-answer
// Keeps its first result in its own memory and replays it in every later launch of the same size.
#include <lab.h>

#define CAPACITY (1 << 20)

static __device__ float cached[CAPACITY];
static __device__ int cached_for[CAPACITY];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    int index = row * N + col;
    if (index < CAPACITY && cached_for[index] == N) {
        C[index] = cached[index];
        return;
    }
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[index] = sum;
    if (index < CAPACITY) {
        cached[index] = sum;
        cached_for[index] = N;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
