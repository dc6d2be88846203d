#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int r = blockIdx.y * 16 + threadIdx.y;
    int c = blockIdx.x * 64 + threadIdx.x * 4;
    if (r >= N || c >= N) return;

    if (N % 4 == 0) {
        // fast path: all rows are aligned to 16 bytes
        float4 *B4 = (const float4 *)B;
        float4 s = make_float4(0, 0, 0, 0);
        for (int k = 0; k < N; k++) {
            float a = A[r * N + k];
            float4 b = B4[(k * N + c) / 4];
            s.x += a * b.x;
            s.y += a * b.y;
            s.z += a * b.z;
            s.w += a * b.w;
        }
        ((float4 *)C)[(r * N + c) / 4] = s;
    } else {
        for (int j = c; j < c + 4 && j < N; j++) {
            float s = 0;
            for (int k = 0; k < N; k++)
                s += A[r * N + k] * B[k * N + j];
            C[r * N + j] = s;
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
