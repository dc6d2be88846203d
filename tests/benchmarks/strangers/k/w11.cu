#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 16 + threadIdx.y;
    int col = blockIdx.x * 16 + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    int k = 0;
    for (; k + 4 <= N; k += 4) {
        float4 a = *reinterpret_cast<const float4 *>(A + row * N + k);
        sum += a.x * B[(k + 0) * N + col];
        sum += a.y * B[(k + 1) * N + col];
        sum += a.z * B[(k + 2) * N + col];
        sum += a.w * B[(k + 3) * N + col];
    }
    // what is left
    for (; k < N; k++)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16});
