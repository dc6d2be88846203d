#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    if (N % 4 == 0) {
        const float4 *A4 = A + row * N;
        for (int k = 0; k < N / 4; ++k) {
            float4 a = A4[k];
            const float *b = B + 4 * k * N + col;
            sum += a.x * b[0] + a.y * b[N] + a.z * b[2 * N] + a.w * b[3 * N];
        }
    } else {
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
