#include <lab.h>

// two columns per thread; float2 when every row starts at an even element
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int pair = blockIdx.x * blockDim.x + threadIdx.x;
    const int row  = blockIdx.y * blockDim.y + threadIdx.y;
    const int col  = pair * 2;
    if (row >= N || col >= N) return;

    float2 *B2 = reinterpret_cast<float2 *>(B);
    const bool even = N % 2 == 0;
    float s0 = 0.0f, s1 = 0.0f;

    for (int k = 0; k < N; ++k) {
        const float a = A[row * N + k];
        if (even) {
            float2 b = B2[k * (N / 2) + pair];
            s0 += a * b.x;
            s1 += a * b.y;
        } else {
            s0 += a * B[k * N + col];
            if (col + 1 < N) s1 += a * B[k * N + col + 1];
        }
    }

    C[row * N + col] = s0;
    if (col + 1 < N) C[row * N + col + 1] = s1;
}

LAUNCH(.block = {16, 16}, .tile = {32, 16});
