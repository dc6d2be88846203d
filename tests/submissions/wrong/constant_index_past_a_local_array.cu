// expect: wrong-answer; says: line 20 is outside of its array
// Adds five sums of a local array of four: the compiler knows that there is no fifth, and takes any value for it.
#include <lab.h>

#define ROWS 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float sums[ROWS] = {};
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    for (int k = 0; k < N; k += ROWS) {
        #pragma unroll
        for (int i = 0; i < ROWS; ++i)
            if (k + i < N)
                sums[i] += A[row * N + k + i] * B[(k + i) * N + col];
    }
    C[row * N + col] = sums[0] + sums[1] + sums[2] + sums[3] + sums[4];
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
