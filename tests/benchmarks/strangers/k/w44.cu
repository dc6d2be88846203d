#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int r = blockIdx.y * blockDim.y + threadIdx.y;
    const int c = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    if (r >= N || c >= N) return;

    const bool pair = c + 1 < N;
    float2 v = {0.0f, 0.0f};

    for (int k = 0; k < N; k++) {
        float a = A[r * N + k];
        v.x += a * B[k * N + c];
        if (c + 1 < N) v.y += a * B[k * N + c + 1];
    }

    if (pair) {
        *(float2 *)(C + r * N + c) = v;
    } else {
        C[r * N + c] = v.x;
        if (c + 1 < N) C[r * N + c + 1] = v.y;
    }
}

LAUNCH(.block = {16, 16}, .tile = {32, 16});
