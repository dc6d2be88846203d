#include <lab.h>

// Each thread computes four neighbouring columns of one row, with 128-bit loads of B.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 16 + threadIdx.y;
    int col = (blockIdx.x * 16 + threadIdx.x) * 4;
    if (row >= N || col >= N) return;

    float4 acc = make_float4(0.f, 0.f, 0.f, 0.f);

    if (col + 3 < N) {
        for (int k = 0; k < N; ++k) {
            float  a = A[row * N + k];
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
        for (int c = col; c < N; ++c) {
            float s = 0.f;
            for (int k = 0; k < N; ++k)
                s += A[row * N + k] * B[k * N + c];
            C[row * N + c] = s;
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
