#include <lab.h>

// vectorized version: one thread = four neighbouring columns (jaeyoon, hw3)
#define BX 16
#define BY 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * BY + threadIdx.y;
    int col = (blockIdx.x * BX + threadIdx.x) * 4;
    if (row >= N || col >= N) return;

    if (col + 3 < N) {
        float4 acc = make_float4(0.f, 0.f, 0.f, 0.f);
        for (int k = 0; k < N; ++k) {
            float a = A[row * N + k];
            float4 b = *reinterpret_cast<const float4 *>(&B[k * N + col]);
            acc.x += a * b.x;
            acc.y += a * b.y;
            acc.z += a * b.z;
            acc.w += a * b.w;
        }
        C[row * N + col + 0] = acc.x;
        C[row * N + col + 1] = acc.y;
        C[row * N + col + 2] = acc.z;
        C[row * N + col + 3] = acc.w;
    } else {
        // edge: one by one
        for (int c = col; c < N && c < col + 4; ++c) {
            float s = 0.f;
            for (int k = 0; k < N; ++k)
                s += A[row * N + k] * B[k * N + c];
            C[row * N + c] = s;
        }
    }
}

LAUNCH(.block = {BX, BY}, .tile = {BX * 4, BY});
