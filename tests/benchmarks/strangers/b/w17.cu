#include <lab.h>

// Compensated (Kahan) summation for better accuracy.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.x * 8 + threadIdx.x;
    int col = blockIdx.y * 32 + threadIdx.y;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    float comp = 0.0f;
    for (int k = 0; k < N; ++k) {
        float y = A[row * N + k] * B[k * N + col] - comp;
        float t = sum + y;
        comp = (t - sum) + y;
        sum = t;
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {8, 32}, .tile = {32, 8}, .grid_x = ROWS);
