#include <lab.h>

#define BX 16
#define BY 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * BY + threadIdx.y;
    int col = 4 * (blockIdx.x * BX + threadIdx.x);
    if (row >= N || col >= N)
        return;

    if (col + 3 < N) {
        float4 s = make_float4(0.f, 0.f, 0.f, 0.f);
        for (int k = 0; k < N; ++k) {
            float a = A[row * N + k];
            float4 b = *reinterpret_cast<const float4 *>(&B[k * N + col]);
            s.x += a * b.x;
            s.y += a * b.y;
            s.z += a * b.z;
            s.w += a * b.w;
        }
        float *out = &C[row * N + col];
        out[0] = s.x, out[1] = s.y, out[2] = s.z, out[3] = s.w;
    } else {
        // last columns one by one
        for (int c = col; c < N; ++c) {
            float s = 0.f;
            for (int k = 0; k < N; ++k)
                s += A[row * N + k] * B[k * N + c];
            C[row * N + c] = s;
        }
    }
}

LAUNCH(.block = {BX, BY}, .tile = {4 * BX, BY});
