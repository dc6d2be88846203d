// expect: simulator wrong-answer or ok, cuda wrong-answer or ok
// Reads four elements at a time into registers, leaves those beyond the end unset, and adds them all the same.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; k += 4) {
        float a[4], b[4];
        for (int i = 0; i < 4; ++i)
            if (k + i < N) {
                a[i] = A[row * N + k + i];
                b[i] = B[(k + i) * N + col];
            }
        for (int i = 0; i < 4; ++i)
            sum += a[i] * b[i];
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
