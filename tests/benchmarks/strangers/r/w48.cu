#include <lab.h>

__device__ float at(const float *M, int r, int c, int n) { return c < n ? M[r * n + c] : 0.0f; }

// each thread: 1 row, 4 neighbouring columns
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 16 + threadIdx.y;
    int col = (blockIdx.x * 16 + threadIdx.x) * 4;
    if (row >= N) return;

    float4 acc = make_float4(0.f, 0.f, 0.f, 0.f);
    for (int k = 0; k < N; ++k) {
        float a = A[row * N + k];
        float4 b = make_float4(at(B, k, col, N), at(B, k, col + 1, N),
                               at(B, k, col + 2, N), at(B, k, col + 3, N));
        acc += a * b;
    }

    if (col     < N) C[row * N + col    ] = acc.x;
    if (col + 1 < N) C[row * N + col + 1] = acc.y;
    if (col + 2 < N) C[row * N + col + 2] = acc.z;
    if (col + 3 < N) C[row * N + col + 3] = acc.w;
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
