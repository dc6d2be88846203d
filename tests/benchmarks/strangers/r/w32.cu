#include <lab.h>

// float4 = 128 bit loads of A
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= N || col >= N) return;

    const float *rowA = A + row * N;
    float sum = 0.0f;
    int k = 0;
    for (; k + 4 <= N; k += 4) {
        float4 a = *reinterpret_cast<const float4 *>(rowA + k);
        sum += a.x * B[(k + 0) * N + col];
        sum += a.y * B[(k + 1) * N + col];
        sum += a.z * B[(k + 2) * N + col];
        sum += a.w * B[(k + 3) * N + col];
    }
    for (; k < N; ++k)
        sum += rowA[k] * B[k * N + col];

    C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
