#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = 4 * (blockIdx.x * blockDim.x + threadIdx.x);

    if (row >= N || col >= N)
        return;

    if (N % 4 == 0) {
        float4 sum = make_float4(0, 0, 0, 0);
        for (int k = 0; k < N; ++k) {
            const float a = A[row * N + k];
            const float4 b = *(const float4 *)&B[k * N + col];
            sum += a * b;
        }
        *(float4 *)&C[row * N + col] = sum;
    } else {
        for (int c = col; c < col + 4 && c < N; ++c) {
            float sum = 0;
            for (int k = 0; k < N; ++k)
                sum += A[row * N + k] * B[k * N + c];
            C[row * N + c] = sum;
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
