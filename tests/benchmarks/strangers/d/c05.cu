#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (row >= N || col >= N)
        return;

    if ((N & 3) == 0) {
        const float4 *B4 = reinterpret_cast<const float4 *>(B);
        float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        for (int k = 0; k < N; ++k) {
            const float a = A[row * N + k];
            const float4 b = B4[(k * N + col) / 4];
            sum.x += a * b.x;
            sum.y += a * b.y;
            sum.z += a * b.z;
            sum.w += a * b.w;
        }
        reinterpret_cast<float4 *>(C)[(row * N + col) >> 2] = sum;
    } else {
        const int width = min(4, N - col);
        for (int j = 0; j < width; ++j) {
            float sum = 0.0f;
            for (int k = 0; k < N; ++k)
                sum += A[row * N + k] * B[k * N + col + j];
            C[row * N + col + j] = sum;
        }
    }
}

LAUNCH(.block = {16, 8}, .tile = {64, 8});
