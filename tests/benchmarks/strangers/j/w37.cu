#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    if (N % 4 == 0) {
        // rows are aligned to 16 bytes
        float4 *rowA = reinterpret_cast<float4 *>(A + row * N);
        for (int k = 0; k < N; k += 4) {
            float4 a = rowA[k / 4];
            sum += a.x * B[k * N + col] + a.y * B[(k + 1) * N + col]
                 + a.z * B[(k + 2) * N + col] + a.w * B[(k + 3) * N + col];
        }
    } else {
        for (int k = 0; k < N; k++)
            sum += A[row * N + k] * B[k * N + col];
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
