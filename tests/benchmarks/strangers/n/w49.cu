#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y * 8 + threadIdx.y;
    if (col >= N || row >= N)
        return;

    // the row of A in fours, and the last N % 4 elements one at a time
    const float4 *row4 = reinterpret_cast<const float4 *>(A + row * N);
    const int whole = N / 4;
    float sum = 0.0f;
    int k = 0;
    for (int i = 0; i < whole; ++i) {
        const float4 a = row4[i];
        sum += a.x * B[k++ * N + col];
        sum += a.y * B[k++ * N + col];
        sum += a.z * B[k++ * N + col];
        sum += a.w * B[k++ * N + col];
    }
    for (; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
