#include <lab.h>

#define FMA4(acc, a, b)      \
    do {                     \
        acc.x += (a) * b.x;  \
        acc.y += (a) * b.y;  \
        acc.z += (a) * b.y;  \
        acc.w += (a) * b.w;  \
    } while (0)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = (blockIdx.x * 16 + threadIdx.x) * 4;
    int row = blockIdx.y * 16 + threadIdx.y;
    if (row >= N || col >= N) return;

    float4 acc = make_float4(0.f, 0.f, 0.f, 0.f);
    if (N % 4 == 0) {
        // rows of B are 16 byte aligned
        for (int k = 0; k < N; ++k) {
            float4 b = *reinterpret_cast<const float4 *>(&B[k * N + col]);
            FMA4(acc, A[row * N + k], b);
        }
    } else {
        for (int k = 0; k < N; ++k) {
            const float *p = &B[k * N];
            float4 b;
            b.x = p[col];
            b.y = col + 1 < N ? p[col + 1] : 0.f;
            b.z = col + 2 < N ? p[col + 2] : 0.f;
            b.w = col + 3 < N ? p[col + 3] : 0.f;
            FMA4(acc, A[row * N + k], b);
        }
    }

    float *out = &C[row * N + col];
    out[0] = acc.x;
    if (col + 1 < N) out[1] = acc.y;
    if (col + 2 < N) out[2] = acc.z;
    if (col + 3 < N) out[3] = acc.w;
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
