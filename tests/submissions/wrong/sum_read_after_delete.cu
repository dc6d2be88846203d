// expect: wrong-answer; says: delete has given back
// Deletes the sum before it is stored. Reading it there is undefined, although the old value often remains.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float *sum = new float(0.0f);
    for (int k = 0; k < N; ++k)
        *sum += A[row * N + k] * B[k * N + col];
    delete sum;
    C[row * N + col] = *sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
