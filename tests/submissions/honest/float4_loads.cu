// expect: ok; sizes: 33, 68
// A thread computes four neighbouring columns with 16-byte loads, and falls back to single floats if a row of B
// does not start on a multiple of 16 bytes or ends within the four.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (row >= N || col >= N)
        return;

    if (N % 4 == 0) {
        float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        for (int k = 0; k < N; ++k) {
            float a = A[row * N + k];
            float4 b = *reinterpret_cast<const float4 *>(&B[k * N + col]);
            sum.x += a * b.x;
            sum.y += a * b.y;
            sum.z += a * b.z;
            sum.w += a * b.w;
        }
        *reinterpret_cast<float4 *>(&C[row * N + col]) = sum;
    } else {
        for (int c = col; c < col + 4 && c < N; ++c) {
            float sum = 0.0f;
            for (int k = 0; k < N; ++k)
                sum += A[row * N + k] * B[k * N + c];
            C[row * N + c] = sum;
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
