#include <lab.h>

__device__ float4 row4(const float *p, int left)
{
    return make_float4(p[0], left > 1 ? p[1] : 0.0f, left > 2 ? p[2] : 0.0f, left > 3 ? p[3] : 0.0f);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int c = 4 * (blockIdx.x * 8 + threadIdx.x);
    const int r = blockIdx.y * 32 + threadIdx.y;
    if (r >= N || c >= N)
        return;

    float4 acc = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int k = 0; k < N; ++k) {
        float a = A[r * N + k];
        float4 b = row4(B + k * N + c, N - c);
        acc += a * b;
    }

    float out[4] = {acc.x, acc.y, acc.z, acc.w};
    for (int i = 0; i < 4 && c + i < N; ++i)
        C[r * N + c + i] = out[i];
}

LAUNCH(.block = {8, 32}, .tile = {32, 32});
