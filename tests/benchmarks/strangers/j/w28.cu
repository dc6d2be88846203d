#include <lab.h>

/*
 * Every thread computes four neighbouring elements of a row,
 * so a value of A is loaded once and used four times.
 */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    int row = blockIdx.y * blockDim.y + threadIdx.y;

    if (row < N && col < N) {
        float c[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int k = 0; k < N; k++) {
            float a = A[row * N + k];
            for (int j = 0; j < 4; j++) {
                float b = (col + j < N) ? B[k * N + col + j] : 0.0f;
                c[j] += a * b;
            }
        }
        for (int j = 0; j < 4; j++)
            C[row * N + col + j] = c[j];
    }
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
