#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    int k = 0;
    if (N % 4 == 0) {
        // rows of A are aligned to 16 bytes
        const float4 *A4 = reinterpret_cast<const float4 *>(A);
        for (; k < N; k += 4) {
            float4 a = A4[row * N + k];
            sum += a.x * B[k * N + col];
            sum += a.y * B[(k + 1) * N + col];
            sum += a.z * B[(k + 2) * N + col];
            sum += a.w * B[(k + 3) * N + col];
        }
    }
    for (; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
