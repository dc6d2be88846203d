#include <lab.h>

// like in my HLSL compute shader: one float4 of the output per thread
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int c4 = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c4 >= N || r >= N) return;

    if ((N & 3) == 0) {
        float4 acc = make_float4(0, 0, 0, 0);
        for (int k = 0; k < N; k++) {
            float a = A[r * N + k];
            float4 b = ((const float4 *)B)[(k * N + c4) / 4];
            acc += a * b;
        }
        ((float4 *)C)[(r * N + c4) / 4] = acc;
        return;
    }
    for (int c = c4; c < min(c4 + 4, N); c++) {
        float acc = 0;
        for (int k = 0; k < N; k++)
            acc += A[r * N + k] * B[k * N + c];
        C[r * N + c] = acc;
    }
}

LAUNCH(.block = {8, 16}, .tile = {32, 16});
