#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    float first = 0.0f, second = 0.0f;

    if (row < N && col < N) {
        for (int k = 0; k < N; ++k) {
            const float a = A[row * N + k];
            first += a * B[k * N + col];
            if (col + 1 < N)
                second += a * B[k * N + col + 1];
        }
    }

    if (row < N && col + 1 < N) {
        C[row * N + col] = first;
        C[row * N + col + 1] = second;
    }
}

LAUNCH(.block = {16, 16}, .tile = {32, 16});
