#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int x = blockIdx.x * 16 + threadIdx.x;
    const int y = blockIdx.y * 16 + threadIdx.y;
    if (x >= N || y >= N) return;

    float sum = 0.0f;
    auto step = [=](int k) mutable { sum += A[y * N + k] * B[k * N + x]; };

    int k = 0;
    for (; k + 2 <= N; k += 2) { step(k); step(k + 1); }
    if (k < N) step(k);

    C[y * N + x] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
