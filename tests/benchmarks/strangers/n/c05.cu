#include <lab.h>
#include <cstdint>

// Four columns per thread. float4 where every row of B and C is aligned for it, single floats otherwise.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * 8 + threadIdx.y;
    const int col = (blockIdx.x * 32 + threadIdx.x) * 4;
    if (row >= N || col >= N)
        return;

    const bool aligned = (reinterpret_cast<std::uintptr_t>(B) | reinterpret_cast<std::uintptr_t>(C)) % 16 == 0;
    float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
    if (aligned && (N & 3) == 0) {
        for (int k = 0; k < N; ++k) {
            const float a = A[row * N + k];
            const float4 b = *reinterpret_cast<const float4 *>(&B[k * N + col]);
            v.x += a * b.x;
            v.y += a * b.y;
            v.z += a * b.z;
            v.w += a * b.w;
        }
        *reinterpret_cast<float4 *>(&C[row * N + col]) = v;
    } else {
        const int n = min(4, N - col);
        for (int k = 0; k < N; ++k) {
            const float a = A[row * N + k];
            const float *b = &B[k * N + col];
            v.x += a * b[0];
            if (n > 1) v.y += a * b[1];
            if (n > 2) v.z += a * b[2];
            if (n > 3) v.w += a * b[3];
        }
        float *c = &C[row * N + col];
        c[0] = v.x;
        if (n > 1) c[1] = v.y;
        if (n > 2) c[2] = v.z;
        if (n > 3) c[3] = v.w;
    }
}

LAUNCH(.block = {32, 8}, .tile = {128, 8});
