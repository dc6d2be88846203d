#include <lab.h>

// each thread: 1 row, 4 neighbouring columns, B with 128 bit loads
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (row >= N || col >= N) return;

    float4 out = make_float4(0.f, 0.f, 0.f, 0.f);
    for (int k = 0; k < N; ++k) {
        float a = A[row * N + k];
        float4 b = make_float4(0.f, 0.f, 0.f, 0.f);
        if (col + 3 < N) {
            b = *reinterpret_cast<const float4 *>(&B[k * N + col]);
        } else {
            b.x = B[k * N + col];
            if (col + 1 < N) b.y = B[k * N + col + 1];
            if (col + 2 < N) b.z = B[k * N + col + 2];
            if (col + 3 < N) b.w = B[k * N + col + 3];
        }
        out.x += a * b.x;
        out.y += a * b.y;
        out.z += a * b.z;
        out.w += a * b.w;
    }

    float *dst = C + row * N + col;
    dst[0] = out.x;
    if (col + 1 < N) dst[1] = out.y;
    if (col + 2 < N) dst[2] = out.z;
    if (col + 3 < N) dst[3] = out.w;
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
