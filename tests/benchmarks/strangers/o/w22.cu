#include <lab.h>

// each thread: 4 neighbouring columns, vector loads from B
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (row >= N || col >= N) return;

    float4 acc = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

    if (col + 3 < N) {
        for (int k = 0; k < N; ++k) {
            const float  a = A[row * N + k];
            const float4 b = *reinterpret_cast<const float4 *>(&B[k * N + col]);
            acc.x += a * b.x;
            acc.y += a * b.y;
            acc.z += a * b.z;
            acc.w += a * b.w;
        }
    } else {
        for (int k = 0; k < N; ++k) {
            const float a = A[row * N + k];
            acc.x += a * B[k * N + col];
            if (col + 1 < N) acc.y += a * B[k * N + col + 1];
            if (col + 2 < N) acc.z += a * B[k * N + col + 2];
            if (col + 3 < N) acc.w += a * B[k * N + col + 3];
        }
    }

    C[row * N + col] = acc.x;
    if (col + 1 < N) C[row * N + col + 1] = acc.y;
    if (col + 2 < N) C[row * N + col + 2] = acc.z;
    if (col + 3 < N) C[row * N + col + 3] = acc.w;
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
