#include <lab.h>

// Aufgabe 3: Matrizenprodukt, ein Thread je Element

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int spalte = blockIdx.x * blockDim.x + threadIdx.x;
    const int zeile  = blockIdx.y * blockDim.y + threadIdx.y;

    if (zeile >= N || spalte >= N)
        return;

    float summe = 0.0f;
    for (int k = 0; k < N; ++k)
        summe += A[zeile * N + k] * B[spalte * N + k];
    C[zeile * N + spalte] = summe;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
