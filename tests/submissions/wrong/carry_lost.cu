// expect: wrong-answer; says: whole tiles
// Keeps a second sum for every 16 terms, and forgets to add the last of them.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f, part = 0.0f;
    for (int k = 0; k < N; ++k) {
        part += A[row * N + k] * B[k * N + col];
        if (k % 16 == 15) {
            sum += part;
            part = 0.0f;
        }
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
