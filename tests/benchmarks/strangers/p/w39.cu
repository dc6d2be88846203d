#include <lab.h>

// Every thread: 4 neighbouring columns. B is read as float4.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * 8 + threadIdx.y;
    const int col = (blockIdx.x * 32 + threadIdx.x) * 4;
    if (row >= N || col >= N)
        return;

    float4 s = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

    for (int k = 0; k < N; ++k) {
        const float a = A[row * N + k];
        float4 b = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (col + 3 < N) {
            b = *reinterpret_cast<const float4 *>(&B[k * N + col]);
        } else {
            b.x = B[k * N + col];
            if (col + 1 < N) b.y = B[k * N + col + 1];
            if (col + 2 < N) b.z = B[k * N + col + 2];
            if (col + 3 < N) b.w = B[k * N + col + 3];
        }
        s.x += a * b.x;
        s.y += a * b.y;
        s.z += a * b.z;
        s.w += a * b.w;
    }

    float *out = C + row * N + col;
    out[0] = s.x;
    if (col + 1 < N) out[1] = s.y;
    if (col + 2 < N) out[2] = s.z;
    if (col + 3 < N) out[3] = s.w;
}

LAUNCH(.block = {32, 8}, .tile = {128, 8});
