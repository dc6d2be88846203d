// expect: out-of-bounds; lines: 18; says: outside the local array “sums”
// Adds the products of a row in halves, each of which is halved again, and keeps the two sums of a level in an array of
// the function. Its last index is one too large, and there is another array behind.
#include <lab.h>

#define LEAST 8

__device__ __noinline__ float products(const float *A, const float *B, int row, int col, int N, int first, int count)
{
    float sums[2], rest[2];
    if (count <= LEAST) {
        float sum = 0.0f;
        for (int k = first; k < first + count && k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
        return sum;
    }
    for (int half = 0; half < 2; ++half) {
        rest[half] = sums[half + (N > LEAST)] = 0.0f;
        sums[half] = products(A, B, row, col, N, first + half * (count / 2), half ? count - count / 2 : count / 2);
    }
    return sums[0] + sums[1] + rest[count % 2];
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N)
        C[row * N + col] = products(A, B, row, col, N, 0, N);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
