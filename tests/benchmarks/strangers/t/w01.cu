// Umsetzung der Routine PRODUKT aus produkt.f90 (Abt. Numerische Vorhersage)
#include <lab.h>

extern "C" __global__
void matmul(const float *A, const float *B, float *C, int N)
{
    const int spalte = blockIdx.x * blockDim.x + threadIdx.x;
    const int zeile  = blockIdx.y * blockDim.y + threadIdx.y;

    if (zeile >= N || spalte >= N)
        return;

    float summe = 0.0f;
    for (int k = 1; k < N; k++)
        summe += A[zeile * N + k] * B[k * N + spalte];

    C[zeile * N + spalte] = summe;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
