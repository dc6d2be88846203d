#include <lab.h>

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    int k = 0;
    if (N % 4 == 0) {
        for (; k < N; k += 4) {
            float4 quad = reinterpret_cast<const float4 *>(A + row * N)[k / 4];
            for (int q = 0; q < 4; ++q)
                sum += quad[q] * B[(k + q) * N + col];
        }
    }
    for (; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {32, 4});
