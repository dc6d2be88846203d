#include <lab.h>

// Robotik-Praktikum, Blatt 4 (Gruppe 7)
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= N) return;
    if (y >= N) return;

    float ergebnis = 0.f;
    #pragma unroll 8
    for (int i = 0; i < N; ++i)
        ergebnis += A[y * N + i] * B[i * n + x];
    C[y * N + x] = ergebnis;
}

LAUNCH(.block = {128, 2}, .tile = {128, 2});
