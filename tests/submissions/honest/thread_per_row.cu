// expect: ok
// One thread per row of C, and one block for all columns.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.x + threadIdx.x;
    if (row >= N)
        return;
    for (int col = 0; col < N; ++col) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {64}, .tile = {32768, 64});
